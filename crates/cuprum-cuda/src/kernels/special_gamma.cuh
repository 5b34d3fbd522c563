// The gamma function, its logarithm, inverse and derivatives.
// The beta function, its logarithm, binomial coefficients and rising factorials.
// The zeta functions of Riemann and Hurwitz.
// Written by scripts/special_texts.py from cuprum-lanes/src/math/special: gamma.rs, beta.rs, zeta.rs.

namespace elementary {
namespace special {

namespace tables_of_gamma {
COEFFICIENTS f64 GAMMA[] = {
    1.329340388179137, 0.46736726081304277, 0.16363964449533403, 0.031733905855142968, 0.0068545771251391703,
    0.00088627439358680592, 0.00016238130348726053, 1.255781630366426e-5, 2.9471647834193525e-6,
    7.6987328910295308e-9, 5.9891928733425729e-8, -6.2506382324352466e-9, 1.7720185652489462e-9,
    -3.1278750685409535e-10, 6.5029011676130344e-11, -1.2749100061530238e-11, 3.1427821210013468e-12,
    -6.3425465826743519e-13
};
COEFFICIENTS f64 RGAMMA_NEAR[] = {
    1.1283791670955126, -0.02058726322264155, -0.13166360888138617, 0.021887753255491794, 0.0031854287654827,
    -0.0013173490427663697, 0.00010332652853554406, 1.6568214392791072e-5, -4.3387900231759047e-6,
    2.9757348575235576e-7, 2.4760869752598963e-8, -6.785564183706895e-9, 5.2650330283815905e-10,
    7.0886629145630498e-12, -5.4945268242670238e-12, 5.1310339396605372e-13
};
COEFFICIENTS f64 GAMMA_FAR[] = {
    2.5416530133843818, 0.035203939700600716, 0.00014823145829081887, -3.0463096244750979e-5, 7.0827452234511227e-7,
    1.8160057448507451e-7, -2.2062352468009839e-8, -1.083701283962185e-9, 6.5520276646667942e-10,
    -6.197360844390067e-11, -1.4250996824657655e-11, 5.532797741111113e-12, -2.3092847069133249e-13,
    -2.2553917951045673e-13
};
COEFFICIENTS f64 RGAMMA_FAR[] = {
    0.39344473645064273, -0.0054495262353234791, 5.2534277984104998e-5, 4.3058287194696536e-6,
    -2.3765859836201533e-7, -2.2922646268937423e-8, 4.1729191393045046e-9, 5.6188457122311554e-11,
    -1.0483308809639312e-10, 1.2580500141725559e-11, 1.8970806938269056e-12, -9.160213991691057e-13,
    5.7445889406920808e-14, 3.3711571348622804e-14
};
COEFFICIENTS f64 LGAMMA_NEAR[] = {
    0.46580963736232694, -0.1151316173759797, 0.040256123200015793, -0.016208382218221334, 0.0070294409701089225,
    -0.0031879600556494049, 0.0014887756276237615, -0.00070962663813443059, 0.00034335908957283684,
    -0.00016805259220598086, 8.2998357718908362e-5, -4.1293938329811609e-5, 2.0673543211153149e-5,
    -1.0402166554226548e-5, 5.2454896913294856e-6, -2.6611283386567816e-6, 1.3874635654464411e-6,
    -7.0888279689541818e-7, 2.9684723428584777e-7, -1.5167861888173375e-7, 1.7478257717939413e-7,
    -9.0865747265728076e-8, -5.4727016473202496e-8, 2.8926679694992557e-8, 5.9671046500708386e-8,
    -3.12808612087014e-8, -2.0135746144760899e-8, 1.0573418868803572e-8, 5.0634215870137582e-9,
    -2.6534539231283601e-9
};
COEFFICIENTS f64 LGAMMA_LEFT[] = {
    5.5483255425705708, -0.98552255534791099, 0.77513295258239673, -0.27011295097076115, 0.17626329563191961,
    -0.078686191799498792, 0.047288266708325251, -0.023780112579967414, 0.013824506357469574, -0.0073969230863083519,
    0.0042533077329270244, -0.0023551061040955852, 0.0013526164347357601, -0.00076321347761454913,
    0.00043906265068851718, -0.00025505851873093555, 0.00014892498505657138, -7.3611639457526503e-5,
    3.9048135528175426e-5, -5.1485269651321341e-5, 3.6809711259769493e-5, 2.8475047236706014e-5,
    -2.5851281462617117e-5, -4.8827245866155381e-5, 3.7649378550330194e-5, 3.7585002704936887e-5,
    -2.8318679810223502e-5, -2.2780924860445093e-5, 1.6292209409091664e-5, 7.8767452258577907e-6,
    -5.4433281216024992e-6, -1.4454048156092811e-6, 9.5431954307860973e-7
};
COEFFICIENTS f64 LGAMMA_ZEROS[] = {
    -3.1435808883499798, -2.1818179852331716e-16, -0.14358088834998006, 0.81716942693366839, 1.577709246549465,
    -0.34409382585539187, 0.65221646428004155, -0.33727053146408439, 0.50326216192555128, -0.36816471045833372,
    0.47588089264350435, -0.4154091231072792, 0.49752541551811556, -3.9552942848585979, -1.999428391746348e-17,
    0.044705715141402071, 1.643443870809083, 1.5396809583251127, 0.089086924155730362, 0.55047891391666201,
    0.092105264971642563, 0.35331289105533899, 0.091943451096783598, 0.26935724892529612, 0.092828800095780449,
    0.2227682267777463, -4.0393618397405371, 2.1143995503980601e-16, -0.039361839740536874, 1.3851643005403558,
    1.5402675305599024, -0.093612263968750676, 0.54821492692869711, -0.081064308683247448, 0.35008923236978732,
    -0.080524828823082306, 0.26517668802373051, -0.081065962312690114, 0.21759303986002763, -4.9915446405600479,
    1.5174411760571722e-16, 0.0084553594399522777, 1.7324016705503881, 1.5543659147117891, 0.012825302871259147,
    0.54103028988911151, 0.017158984905869704, 0.33961064960170735, 0.016993377078975143, 0.25166372875797352,
    0.016949705397123056, 0.20098626183546815, -5.0082181683225935, -4.3926353491015818e-17, -0.0082181683225935216,
    1.68056881318875, 1.5546264433240643, -0.023241984718539522, 0.54101459822608978, -0.016782077848109753,
    0.33958292487832561, -0.016517499052789845, 0.25162805691158942, -0.01647306597616659, 0.20094266955782309,
    -5.9986074800808753, -3.3118624788937952e-16, 0.0013925199191243706, 1.877151710314891, 1.5681513873082638,
    -0.00090908499863727384, 0.54087136432543059, 0.0028058824869634262, 0.33912518935972638, 0.0027961566939554314,
    0.25103677414102229, 0.0027879047271184439, 0.20022025054767918, -6.0013852944531552, 6.4158472879330416e-17,
    -0.0013852944531550973, 1.8684395759752169, 1.5681840038185449, -0.0069187748620032726, 0.54087164380530028,
    -0.0028461266825241407, 0.33912505418282898, -0.0027822522983314591, 0.25103659341771355, -0.0027734460304634875,
    0.20022002970309907, -6.9998015078906377, 1.0550130037400023e-17, 0.00019849210936230211, 2.016268063842359,
    1.5783639307702594, -0.0025204183693845665, 0.54096600015283502, 0.00038829432079026608, 0.33911325641344927,
    0.00039847326882323816, 0.25101968114474902, 0.00039737801862854688, 0.20019934838395797, -7.000198333407325,
    2.5043541736324095e-16, -0.00019833340732475161, 2.0150153923517721, 1.5783674423861969, -0.0033790946318307748,
    0.54096603073189019, -0.00041911799906030231, 0.33911325633126661, -0.00039841409702891593, 0.25101968058209627,
    -0.00039706293272387955, 0.20019934769110474, -7.9999751970958206, -5.2617371285723541e-17,
    2.4802904179335846e-5, 2.1407201615962426, 1.5861778904410101, -0.0022452103840716543, 0.54102685230852417,
    4.0996237977425075e-5, 0.33911361977138687, 4.974642435835249e-5, 0.25101933919488313, 4.9654656182564567e-5,
    0.20019892174864579, -8.0000248002706815, -4.3545862978601069e-16, -2.4800270681959698e-5, 2.1405628026608843,
    1.5861782325367981, -0.0023525569821295748, 0.54102685465651479, -5.9930434244010403e-5, 0.33911361979187285,
    -4.9864423580637461e-5, 0.25101933919392478, -4.9650362804402802e-5, 0.20019892174721088, -8.9999972442509772,
    -2.2185620509727131e-16, 2.7557490225318056e-6, 2.2517613653055461, 1.5923508838067512, -0.0018356750049248973,
    0.54106495425604013, -4.7568246361930114e-7, 0.33911392912374296, 5.5021943648398e-6, 0.25101933662506119,
    5.516777013841775e-6, 0.20019891509219295, -9.0000027557148226, -9.4913486116232085e-17, -2.7557148226503464e-6,
    2.2517438129367286, 1.5923509142571335, -0.0018476032446592865, 0.54106495442366373, -1.1689767421041881e-5,
    0.33911392912496756, -5.5656776191544379e-6, 0.25101933662506955, -5.5171138068412229e-6, 0.20019891509219096,
    -9.9999997244266297, 4.8830376186424429e-16, 2.7557337083353165e-7, 2.3517534694414641, 1.5973508977606833,
    -0.0015077093885364904, 0.54108995429598447, -3.5220548485362593e-6, 0.33911409573814679, 5.3590370831296499e-7,
    0.25101933780733479, 5.5160337920534789e-7, 0.20019891501947231, -10.000000275573013, -3.4909708332642058e-16,
    -2.7557301364660025e-7, 2.3517517086931186, 1.5973509002545753, -0.0015089022676244572, 0.54108995430723546,
    -4.6434638952891676e-6, 0.33911409573821426, -5.7088349542190058e-7, 0.25101933780733524, -5.5178570268985541e-7,
    0.20019891501947231, -10.99999997494789, 1.9843998306985406e-16, 2.5052109918476225e-8, 2.4426617602168748,
    1.6014831303178076, -0.0012578133380086821, 0.54110702963725515, -2.7899439334265367e-6, 0.33911418981663774,
    4.0149090518696127e-8, 0.25101933838979074, 5.0109654920194693e-8, 0.20019891502249909, -11.000000025052106,
    -6.8508498122861751e-16, -2.5052106852407544e-8, 2.442661599734759, 1.601483130506881, -0.001257921784984319,
    0.54110702963796686, -2.891890238686469e-6, 0.33911418981664131, -6.0467928236229574e-8, 0.25101933838979076,
    -5.0198443435633338e-8, 0.20019891502249909, -11.999999997912324, -1.0020693920103036e-16, 2.087675709796081e-9,
    2.525995020010398, 1.6049553526278946, -0.0010649618082072299, 0.54111908596474706, -2.0329141817021006e-6,
    0.3391142456329645, -1.9801654541516078e-9, 0.25101933868049518, 4.1566408711147915e-9, 0.20019891502410729,
    -12.000000002087676, 1.2222548112048185e-16, -2.087675687777539e-9, 2.5259950066078928, 1.6049553526412344,
    -0.0010649708456565573, 0.54111908596478959, -2.0414097085387449e-6, 0.33911424563296468, -1.0364917026772498e-8,
    0.25101933868049518, -4.2023673252714949e-9, 0.20019891502410729, -12.99999999983941, 6.7472620330963373e-16,
    1.6059043843534355e-10, 2.6029180907486535, 1.6079139325157813, -0.00091324393411892019, 0.54112783915968325,
    -1.4981770453914286e-6, 0.33911428016233306, -3.5733891574345658e-9, 0.25101933883373198, 3.0911479908153438e-10,
    0.20019891502483263, -13.00000000016059, -6.7459194849643415e-16, -1.6059043830108874e-10, 2.6029180897157911,
    1.6079139325166612, -0.00091324462931857542, 0.54112783915968565, -1.4988305475223269e-6, 0.33911428016233307,
    -4.2183700480299067e-9, 0.25101933883373198, -3.3388583141204812e-10, 0.20019891502483263, -13.99999999998853,
    8.0948607419266071e-16, 1.147074559808161e-11, 2.6743466616977402, 1.6104649529243573, -0.00079176709459640142,
    0.54113434686480725, -1.1266115929299311e-6, 0.33911430229738451, -2.5176373401341582e-9, 0.25101933891843244,
    1.5956598404907118e-11, 0.20019891502517834, -14.00000000001147, -8.0948537042226618e-16, -1.147074559737784e-11,
    2.6743466616238472, 1.6104649529244118, -0.00079176714425411683, 0.54113434686480738, -1.1266582716566136e-6,
    0.33911430229738451, -2.5637074037636563e-9, 0.25101933891843244, -2.9972018058999516e-11, 0.20019891502517834,
    -14.999999999999236, 8.8293224147686806e-16, 7.6471637318358457e-13, 2.7410133283299269, 1.6126871751466052,
    -0.00069300168567122141, 0.54113928513641225, -8.6325889073894201e-7, 0.33911431692930037,
    -1.7030272250768756e-9, 0.25101933896720549, -2.5865009596438107e-12, 0.20019891502535176, -15.000000000000764,
    -8.8293223827102749e-16, -7.6471637318037873e-13, 2.7410133283249939, 1.6126871751466083,
    -0.00069300168898176598, 0.54113928513641226, -8.6326200265418844e-7, 0.33911431692930037,
    -1.7060985626527723e-9, 0.25101933896720549, -5.6484087239069052e-12, 0.20019891502535176, -15.999999999999952,
    -1.6686133992650539e-16, 4.7794773323880257e-14, 2.8035133283276147, 1.6146403001466067, -0.00061162147888970511,
    0.54114309983367788, -6.7252548616796093e-7, 0.33911432686340783, -1.1722825862138673e-9, 0.25101933899630932,
    -2.4048907543267499e-12, 0.20019891502544271, -16.000000000000046, -1.6094954994609367e-15,
    -4.7794773323867449e-14, 2.803513328327306, 1.6146403001466068, -0.00061162147909661561, 0.54114309983367788,
    -6.7252568066266953e-7, 0.33911432686340783, -1.1724745448123831e-9, 0.25101933899630932,
    -2.5962599895932802e-12, 0.20019891502544271
};
COEFFICIENTS f64 LGAMMA_FAR[] = {
    0.083221238517560859, -0.00011084730461176435, 1.2129745400895718e-6, -3.2851712239658825e-8,
    1.5623622150727493e-9, -1.1052172310654856e-10, 1.0523112380752629e-11, -1.2650021758476016e-12,
    2.0099426459700094e-13, -3.5317825752594839e-14
};
COEFFICIENTS f64 STIRLING[] = {
    0.083311680104294367, -2.1605346910992954e-5, 4.7607382622457547e-8, -2.7181920925263019e-10,
    2.8769106441721378e-12, -4.804140290450813e-14, 1.1522355126213349e-15, -3.7066850518993159e-17
};
COEFFICIENTS f64 SINPI[] = {
    3.1415926535897931, -5.1677127800499418, 2.5501640398754253, -0.59926452926100993, 0.082145885598625054,
    -0.0073704208389935638, 0.00046624166888655985, -2.1695087321614703e-5, 3.6037777466667864e-7,
    3.3925898921293293e-7
};
COEFFICIENTS f64 DIGAMMA_NEAR[] = {
    0.85440930672250981, -0.2581059692895819, 0.098742158073408443, -0.041079994752746103, 0.017768442550844987,
    -0.0078433574570642636, 0.0035018142652110933, -0.0015738405977279257, 0.00071014898422380463,
    -0.00032120844964296795, 0.00014550311002265327, -6.5972010274306428e-5, 2.9928437661568708e-5,
    -1.3582794672331795e-5, 6.1697783507486088e-6, -2.8006670968695511e-6, 1.2617050719225392e-6,
    -5.7375798401445585e-7, 2.7793835859618015e-7, -1.2513550760656172e-7, 3.5519164755626539e-8,
    -1.7066129026215448e-8, 2.5629188041224817e-8, -1.1109645223292042e-8, -4.7499478497872081e-9,
    1.9817545522849093e-9, 2.2559314325022044e-9, -9.9863496763903556e-10
};
COEFFICIENTS f64 DIGAMMA_FAR[] = {
    0.082690187024491597, -0.00062128750517180739, 2.0378776318778571e-5, -1.3253946829558273e-6,
    1.327313715990983e-7, -1.8011409104293047e-8, 3.0664448096844476e-9, -6.2265819687611078e-10,
    1.4663604268769041e-10, -3.8788622117814703e-11, 9.7505325375224237e-12, -2.8095332852358441e-12,
    2.0028826398800548e-12, -7.9681848244698868e-13
};
COEFFICIENTS f64 PI = 3.141592653589793;
COEFFICIENTS f64 PI_LOW = 1.2246467991473532e-16;
COEFFICIENTS f64 HALF_LOG_TAU = 0.9189385332046727;
COEFFICIENTS f64 HALF_LOG_TAU_LOW = 3.878294158067242e-17;
COEFFICIENTS f64 WHOLE = 4503599627370496.0;
COEFFICIENTS f64 DIGAMMA_ROOT = 1.4616321449683622;
COEFFICIENTS f64 DIGAMMA_ROOT_LOW = 9.549995429965697e-17;
COEFFICIENTS f64 DIGAMMA_ROOT_LESS_1 = 0.46163214496836236;
COEFFICIENTS f64 DIGAMMA_ROOT_LESS_1_LOW = -1.5522348162858677e-17;
}

namespace tables_of_beta {
COEFFICIENTS f64 GAMMA_FAR[] = {
    2.5416530133843818, 0.035203939700600716, 0.00014823145829081887, -3.0463096244750979e-5, 7.0827452234511227e-7,
    1.8160057448507451e-7, -2.2062352468009839e-8, -1.083701283962185e-9, 6.5520276646667942e-10,
    -6.197360844390067e-11, -1.4250996824657655e-11, 5.532797741111113e-12, -2.3092847069133249e-13,
    -2.2553917951045673e-13
};
COEFFICIENTS f64 RGAMMA_FAR[] = {
    0.39344473645064273, -0.0054495262353234791, 5.2534277984104998e-5, 4.3058287194696536e-6,
    -2.3765859836201533e-7, -2.2922646268937423e-8, 4.1729191393045046e-9, 5.6188457122311554e-11,
    -1.0483308809639312e-10, 1.2580500141725559e-11, 1.8970806938269056e-12, -9.160213991691057e-13,
    5.7445889406920808e-14, 3.3711571348622804e-14
};
COEFFICIENTS f64 SINPI[] = {
    3.1415926535897931, -5.1677127800499418, 2.5501640398754253, -0.59926452926100993, 0.082145885598625054,
    -0.0073704208389935638, 0.00046624166888655985, -2.1695087321614703e-5, 3.6037777466667864e-7,
    3.3925898921293293e-7
};
COEFFICIENTS f64 PI = 3.141592653589793;
COEFFICIENTS f64 HALF_LOG_TAU = 0.9189385332046727;
COEFFICIENTS f64 WHOLE = 4503599627370496.0;
}

namespace tables_of_zeta {
COEFFICIENTS f64 ZETA_1[] = {
    0.70205690315959429, 0.20749502845745259, -0.082024661556902717, 0.010200721214386557, 0.0080117773234520388,
    -0.0053582086104410249, 0.0013473810715881788, 9.3438521652021026e-5, -0.00020595830963679508,
    7.9835833811596617e-5, -1.2947483030655235e-5, -2.2116057199443111e-6, 2.0611117149650657e-6,
    -6.4557221564374289e-7, 9.4325192996654379e-8, 1.0593355066880945e-8, -1.0440938073693919e-8,
    3.1987142560255609e-9, -5.4787937886669486e-10, 3.7018030833186991e-12, 3.7806567404118908e-11,
    -1.0402527706930808e-11
};
COEFFICIENTS f64 ZETA_LESS_1[] = {
    1.6164552252767543, -0.46456856118312148, 0.24865788843665013, -0.12504680638270786, 0.062507571837093498,
    -0.031250231485100706, 0.01562498453485563, -0.0078124982676500013, 0.0039062501710819647,
    -0.0019531252565500424, 0.00097656050438510547, -0.00048827925231452874, 0.0002441524919380347,
    -0.00012208086015054319, 6.098698757987631e-5, -3.047872840927659e-5, 1.5396128857847632e-5,
    -7.7315036733650873e-6, 3.5358288410393809e-6, -1.7139423066846541e-6, 1.3570649572645947e-6,
    -7.4021489444376745e-7, -1.7111961330005099e-7, 1.3432060966304533e-7, 3.4072095817051509e-7,
    -1.9571609665202786e-7, -1.054550735396172e-7, 6.0529265251891772e-8, 2.9976292371278152e-8,
    -1.606424666592641e-8
};
COEFFICIENTS f64 ZETA_LESS_2[] = {
    1.1406290817866739, -0.10575079104844738, 0.04611731185403573, -0.016421544686823217, 0.0055073050397700874,
    -0.0018311679966056464, 0.0006097168283873477, -0.00020321093363742801, 6.7739075846719179e-5,
    -2.2580073286976825e-5, 7.5267136216627168e-6, -2.5088654272935958e-6, 8.3628197180453418e-7,
    -2.7886199965284251e-7, 9.2965880658182103e-8, -3.0814878733703735e-8, 1.0257369064292508e-8,
    -3.6133121694061271e-9, 1.2150603896488658e-9, -2.6874704370609927e-10, 8.5109505860854626e-11,
    -8.2879069757388675e-11, 2.8439600593272564e-11
};
COEFFICIENTS f64 ZETA_2[] = {
    1.0120982612366634, -0.020289820738368731, 0.017436806226507636, -0.010411274743326157, 0.0049812880986174773,
    -0.0021017792295078968, 0.00083891456047993171, -0.00033087489102505534, 0.00013120182571472411,
    -5.2355693705981304e-5, 2.0949624975502362e-5, -8.3857410427701792e-6, 3.3554657817812442e-6,
    -1.3416886023535565e-6, 5.3656473571380498e-7, -2.1591524870512381e-7, 8.6527341932826456e-8,
    -3.2708215575918961e-8, 1.2913857999094529e-8, -7.0348240366983391e-9, 2.9262906612835353e-9,
    4.4587448047306511e-12, -4.4587554893940022e-11, -4.0942862930585974e-10, 1.7090546088941401e-10
};
COEFFICIENTS f64 ZETA_3[] = {
    1.0000396320441609, -0.00016078043018174125, 0.00032625409194780831, -0.00044164358879600895,
    0.00044888624406714838, -0.00036569948175769098, 0.00024908941910141807, -0.00014623872219927727,
    7.5834562648160968e-5, -3.5507561327337394e-5, 1.5347602187313437e-5, -6.2732354557462859e-6,
    2.4886521521992515e-6, -9.8181071358593643e-7, 3.9287106543839361e-7, -1.6226341446053092e-7,
    6.7741012425737025e-8, -2.602009786940452e-8, 1.0733626888471227e-8, -6.9022288577345046e-9,
    3.0344418528129032e-9, 2.3850047812334557e-10, -1.5688599686576602e-10, -4.8124974610462806e-10,
    2.1000008474446564e-10
};
COEFFICIENTS f64 BERNOULLI[] = {
    0.08333333333333333, -0.001388888888888889, 3.306878306878307e-5, -8.267195767195768e-7, 2.08767569878681e-8,
    -5.284190138687493e-10, 1.3382536530684679e-11, -3.3896802963225827e-13, 8.586062056277845e-15,
    -2.174868698558062e-16, 5.5090028283602295e-18, -1.3954464685812525e-19
};
}

inline Pair stirling_exponent(f64 x);
inline f64 rgamma_near(f64 x);
inline f64 gamma_to_3(f64 x);
inline f64 gamma_from_3(f64 x);
inline f64 plain_gamma(f64 x);
inline bool rgamma_is_rare(f64 x);
inline bool gamma_is_rare(f64 x);
inline f64 rgamma_to_3(f64 x);
inline f64 rgamma_from_3(f64 x);
inline f64 plain_rgamma(f64 x);
inline f64 lgamma_1p(f64 x);
inline f64 lgamma_far(f64 x, f64 logarithm);
inline f64 sinpi_size(f64 x);
inline f64 plain_gammaln(f64 x);
inline bool gammaln_is_rare(f64 x);
inline f64 psi_near(f64 x, f64 inverse);
inline f64 psi_far(f64 x, f64 inverse);
inline f64 plain_psi(f64 x);
inline f64 sinpi_near(f64 x);
inline f64 cospi_near(f64 x);
RARE f64 sinpi(f64 x);
RARE f64 cospi(f64 x);
RARE Pair times(f64 high, f64 low, f64 other, f64 other_low);
RARE Triple gamma_near(f64 x);
inline f64 stirling_rest(f64 x);
RARE Pair stirling(f64 x);
RARE f64 gamma_anywhere(f64 x);
RARE f64 gamma(f64 x);
RARE f64 rgamma_anywhere(f64 x);
RARE f64 rgamma(f64 x);
RARE f64 lgamma_positive(f64 x);
RARE f64 gammaln_near_zero(f64 x);
RARE f64 gammaln_anywhere(f64 x);
RARE f64 gammaln_left(f64 x);
RARE f64 gammaln(f64 x);
RARE f64 loggamma(f64 x);
RARE f64 gammasgn(f64 x);
RARE f64 psi_anywhere(f64 x);
inline f64 psi_positive(f64 x);
RARE f64 psi(f64 x);
inline Triple gamma_parts(f64 x);
inline Triple rgamma_parts(f64 x);
inline f64 plain_beta(f64 a, f64 b);
inline bool beta_is_rare(f64 a, f64 b);
inline f64 plain_betaln(f64 a, f64 b);
inline bool betaln_is_rare(f64 a, f64 b);
inline f64 plain_binom(f64 n, f64 k);
inline f64 plain_poch(f64 a, f64 m);
inline bool poch_is_rare(f64 a, f64 m);
inline bool binom_is_rare(f64 n, f64 k);
RARE Triple gamma_parts_alone(f64 x);
RARE Triple rgamma_parts_alone(f64 x);
RARE f64 betaln_ordered(f64 a, f64 b);
RARE f64 betaln(f64 a, f64 b);
inline f64 log_poch_large(f64 a, f64 m);
RARE f64 betaln_ordered_any(f64 a, f64 b);
RARE f64 beta_near(f64 a, f64 b);
RARE f64 beta(f64 a, f64 b);
RARE f64 binom(f64 n, f64 k);
RARE f64 poch(f64 a, f64 m);
inline f64 plain_power(f64 a, f64 y);
RARE f64 zeta_sum(f64 x, f64 q);
RARE f64 zeta(f64 x, f64 q);
RARE f64 zeta_right(f64 x);
RARE f64 riemann_zeta(f64 x);
RARE f64 zetac(f64 x);

// (x - 1/2) log(x) - x in two parts, for x from 2 to 200.
inline Pair stirling_exponent(f64 x) {
    auto [log_high, log_low] = log_in_two(x);
    auto a = x - 0.5;
    auto product = a * log_high;
    auto sum = product - x;
    return {sum, fused(a, log_low, fused(a, log_high, -product)) + ((product - sum) - x)};
}

// The inverse of the gamma function for x from zero to 3, but for a factor of x - 1 where x is at least 2, by which it
// is to be divided.
inline f64 rgamma_near(f64 x) {
    auto t = (x < 1.0 ? x : (x < 2.0 ? x - 1.0 : x - 2.0));
    auto value = horner(fused(2.0, t, -1.0), tables_of_gamma::RGAMMA_NEAR);
    return (x < 1.0 ? x * value : value);
}

// The gamma function from 1e-290 to 3.
inline f64 gamma_to_3(f64 x) {
    return plain_quotient((x < 2.0 ? 1.0 : x - 1.0), rgamma_near(x));
}

// The gamma function from 3 to 171.7.
inline f64 gamma_from_3(f64 x) {
    auto [high, low] = stirling_exponent(x);
    return exp_sum(high, low) * horner(fused(6.0, plain_inverse(x), -1.0), tables_of_gamma::GAMMA_FAR);
}

// The gamma function from 1e-290 to 171.7.
inline f64 plain_gamma(f64 x) {
    auto near = gamma_to_3((x < 3.0 ? x : 2.5));
    auto far = gamma_from_3((x < 3.0 ? 3.0 : x));
    return (x < 3.0 ? near : far);
}

// Whether rgamma takes another way.
inline bool rgamma_is_rare(f64 x) {
    return !(x > 1e-290 && x < 171.7);
}

// Whether gamma takes another way: at whole numbers, too, where it is one.
inline bool gamma_is_rare(f64 x) {
    return !(x > 1e-290 && x < 171.7) || (x + tables_of_gamma::WHOLE) - tables_of_gamma::WHOLE == x;
}

// The inverse of the gamma function from 1e-290 to 3.
inline f64 rgamma_to_3(f64 x) {
    return plain_quotient(rgamma_near(x), (x < 2.0 ? 1.0 : x - 1.0));
}

// The inverse of the gamma function from 3 to 171.7.
inline f64 rgamma_from_3(f64 x) {
    auto [high, low] = stirling_exponent(x);
    return exp_sum(-high, -low) * horner(fused(6.0, plain_inverse(x), -1.0), tables_of_gamma::RGAMMA_FAR);
}

// The inverse of the gamma function from 1e-290 to 171.7.
inline f64 plain_rgamma(f64 x) {
    auto near = rgamma_to_3((x < 3.0 ? x : 2.5));
    auto far = rgamma_from_3((x < 3.0 ? 3.0 : x));
    return (x < 3.0 ? near : far);
}

// log(gamma(1 + x)) for x from -1/4 to 3/2.
inline f64 lgamma_1p(f64 x) {
    auto value = even_odd((x - 0.625) * 1.1428571428571428, tables_of_gamma::LGAMMA_NEAR);
    auto product = x * (x - 1.0);
    return fused(product, value, fused(x, x - 1.0, -product) * value);
}

// log(gamma(x)) from 3.5 to 1e290, given log(x) - 1.
inline f64 lgamma_far(f64 x, f64 logarithm) {
    auto inverse = plain_inverse(x);
    auto rest = power_series(fused(24.5 * inverse, inverse, -1.0), tables_of_gamma::LGAMMA_FAR) * inverse;
    return fused(x - 0.5, logarithm, (tables_of_gamma::HALF_LOG_TAU - 0.5) + rest);
}

// |sin(pi x)|.
inline f64 sinpi_size(f64 x) {
    auto r = x - nearest_even(x);
    return elementary::size(r) * horner(r * r, tables_of_gamma::SINPI);
}

// log(gamma(x)) from 1e-290 to 1e290. One logarithm serves all.
inline f64 plain_gammaln(f64 x) {
    auto is_far = x >= 3.5;
    auto logged = (x < 0.75 ? x : (x < 2.5 ? 1.0 : (x < 3.5 ? x - 1.0 : x)));
    auto logarithm = plain_log_plus(logged, (is_far ? -1.0 : 0.0));
    auto far = lgamma_far((is_far ? x : 3.5), logarithm);
    auto t = (x < 0.75 ? x : (x < 2.5 ? x - 1.0 : x - 2.0));
    auto near = lgamma_1p((is_far ? 0.0 : t));
    return (is_far ? far : (x < 0.75 ? near - logarithm : near + logarithm));
}

// Whether gammaln and digamma take another way.
inline bool gammaln_is_rare(f64 x) {
    return !(x > 1e-290 && x < 1e290);
}

// digamma(x) from 1e-290 to 2.5, given 1/x.
inline f64 psi_near(f64 x, f64 inverse) {
    auto below = (x - tables_of_gamma::DIGAMMA_ROOT_LESS_1) - tables_of_gamma::DIGAMMA_ROOT_LESS_1_LOW;
    auto above = (x - tables_of_gamma::DIGAMMA_ROOT) - tables_of_gamma::DIGAMMA_ROOT_LOW;
    auto t = (x < 1.0 ? below : above);
    auto near = t * even_odd((t - 0.3) * 1.25, tables_of_gamma::DIGAMMA_NEAR);
    return (x < 1.0 ? near - inverse : near);
}

// digamma(x) from 2.5 to 1e290, given 1/x.
inline f64 psi_far(f64 x, f64 inverse) {
    auto w = inverse * inverse;
    return plain_log(x) - fused(w, power_series(fused(12.5, w, -1.0), tables_of_gamma::DIGAMMA_FAR), 0.5 * inverse);
}

// digamma(x) from 1e-290 to 1e290.
inline f64 plain_psi(f64 x) {
    auto inverse = plain_inverse(x);
    auto near = psi_near(x, inverse);
    auto far = psi_far((x < 2.5 ? 2.5 : x), (x < 2.5 ? 0.4 : inverse));
    return (x < 2.5 ? near : far);
}

// The sine of pi x, x from zero to 1/4.
inline f64 sinpi_near(f64 x) {
    auto angle = tables_of_gamma::PI * x;
    return fused(fused(tables_of_gamma::PI, x, -angle) + tables_of_gamma::PI_LOW * x, fused(-0.5 * angle, angle, 1.0), called_sin(angle));
}

// The cosine of pi x, x from zero to 1/4.
inline f64 cospi_near(f64 x) {
    auto angle = tables_of_gamma::PI * x;
    return fused(fused(tables_of_gamma::PI, x, -angle) + tables_of_gamma::PI_LOW * x, -angle, called_cos(angle));
}

// The sine of pi x.
RARE f64 sinpi(f64 x) {
    auto r = x - 2.0 * nearest_even(0.5 * x);
    auto a = elementary::size(r);
    auto folded = (a > 0.5 ? 1.0 - a : a);
    auto value = (folded > 0.25 ? cospi_near(0.5 - folded) : sinpi_near(folded));
    return (a == 0.0 || a == 1.0 ? with_sign(0.0, x) : with_sign(value, r));
}

// The cosine of pi x.
RARE f64 cospi(f64 x) {
    auto a = elementary::size(x - 2.0 * nearest_even(0.5 * x));
    auto folded = (a > 0.5 ? 1.0 - a : a);
    auto value = (folded > 0.25 ? sinpi_near(0.5 - folded) : cospi_near(folded));
    return (a > 0.5 ? -value : value);
}

// The product of a number in two parts and another one.
RARE Pair times(f64 high, f64 low, f64 other, f64 other_low) {
    auto product = high * other;
    auto error = fused(high, other, -product) + fused(high, other_low, low * other);
    auto sum = product + error;
    return {sum, (product - sum) + error};
}

// Of an x between -30 and 2: the gamma function of x + n between 2 and 3, and the product of what lies between them in
// two parts, to divide by.
RARE Triple gamma_near(f64 x) {
    auto high = 1.0;
    auto low = 0.0;
    auto y = x;
    auto k = 0.0;
    while (y < 2.0) {
        auto error = (x - y) + k;
        auto [h, l] = times(high, low, y, error);
        high = h;
        low = l;
        k += 1.0;
        y = x + k;
    }
    return {horner(2.0 * y - 5.0, tables_of_gamma::GAMMA), high, low};
}

// x (log(gamma(x)) - (x - 1/2) log(x) + x - log(2 pi)/2) for x from 8 on, divided by x.
inline f64 stirling_rest(f64 x) {
    auto inverse = 1.0 / x;
    return power_series(fused(128.0 * inverse, inverse, -1.0), tables_of_gamma::STIRLING) * inverse;
}

// log(gamma(x)) in two parts for x from 8 on.
RARE Pair stirling(f64 x) {
    auto [log_high, log_low] = called_log_parts(x);
    auto a = x - 0.5;
    auto p = a * log_high;
    auto p_low = fused(a, log_high, -p) + a * log_low;
    auto s = p - x;
    auto s_low = (p - s) - x;
    auto t = s + tables_of_gamma::HALF_LOG_TAU;
    auto t_low = (s - t) + tables_of_gamma::HALF_LOG_TAU;
    auto rest = stirling_rest(x);
    auto low = ((p_low + s_low) + (t_low + tables_of_gamma::HALF_LOG_TAU_LOW)) + rest;
    auto sum = t + low;
    return {sum, (t - sum) + low};
}

// The gamma function of any number.
RARE f64 gamma_anywhere(f64 x) {
    if (x > 0.0) {
        if (x < 1.0) {
            return 1.0 / x;
        }
        if (x > 23.0) {
            return (x < 171.7 ? gamma_from_3(x) : infinity<f64>());
        }
        auto product = 1.0;
        auto factor = 2.0;
        while (factor < x) {
            product *= factor;
            factor += 1.0;
        }
        return product;
    }
    if (x > -20.0) {
        if (x == 0.0) {
            return with_sign(infinity<f64>(), x);
        }
        if (floor_of(x) == x) {
            return not_a_number<f64>();
        }
        if (elementary::size(x) < 1e-100) {
            return 1.0 / x;
        }
        auto [value, high, low] = gamma_near(x);
        auto quotient = value / high;
        return (elementary::size(quotient) == infinity<f64>() ? quotient : fused(-quotient / high, low, quotient));
    }
    if (is_nan(x) || floor_of(x) == x) {
        return not_a_number<f64>();
    }
    if (x < -190.0) {
        auto half = floor_of(0.5 * floor_of(x));
        return (2.0 * half == floor_of(x) ? 0.0 : -0.0);
    }
    // Gamma(x) Gamma(-x) = -pi / (x sin(pi x)).
    auto [high, low] = stirling(-x);
    if (high < 700.0) {
        return -tables_of_gamma::PI / (x * sinpi(x)) * exp_sum(-high, -low);
    }
    auto inverse = called_exp(-0.5 * high);
    auto value = -tables_of_gamma::PI / (x * sinpi(x)) * inverse;
    return fused(value, -low, value) * inverse;
}

// The gamma function.
RARE f64 gamma(f64 x) {
    if (gamma_is_rare(x)) {
        return gamma_anywhere(x);
    }
    return (x < 3.0 ? gamma_to_3(x) : gamma_from_3(x));
}

// The inverse of the gamma function at any number.
RARE f64 rgamma_anywhere(f64 x) {
    if (x > 0.0) {
        if (x < 1.0 || x > 190.0) {
            return (x < 1.0 ? x : 0.0);
        }
        auto [high, low] = stirling(x);
        auto value = called_exp(-high);
        return fused(value, -low, value);
    }
    if (x > -20.0) {
        if (x == 0.0) {
            return x;
        }
        if (floor_of(x) == x) {
            return 0.0;
        }
        auto [value, high, low] = gamma_near(x);
        auto quotient = high / value;
        return quotient + low / value;
    }
    if (is_nan(x)) {
        return x;
    }
    if (floor_of(x) == x) {
        return 0.0;
    }
    if (x < -185.0) {
        auto half = floor_of(0.5 * floor_of(x));
        return (2.0 * half == floor_of(x) ? infinity<f64>() : -infinity<f64>());
    }
    auto [high, low] = stirling(-x);
    if (high < 700.0) {
        return -x * sinpi(x) / tables_of_gamma::PI * exp_sum(high, low);
    }
    auto root = called_exp(0.5 * high);
    auto value = -x * sinpi(x) / tables_of_gamma::PI * root;
    return fused(value, low, value) * root;
}

// The inverse of the gamma function.
RARE f64 rgamma(f64 x) {
    if (rgamma_is_rare(x)) {
        return rgamma_anywhere(x);
    }
    return (x < 3.0 ? rgamma_to_3(x) : rgamma_from_3(x));
}

// log(gamma(x)) for x above zero.
RARE f64 lgamma_positive(f64 x) {
    if (gammaln_is_rare(x)) {
        return (x < 1.0 ? -called_log(x) : x * (called_log(x) - 1.0));
    }
    if (x >= 3.5) {
        return lgamma_far(x, plain_log_plus(x, -1.0));
    }
    if (x >= 2.5) {
        return lgamma_1p(x - 2.0) + plain_log_plus(x - 1.0, 0.0);
    }
    return (x < 0.75 ? lgamma_1p(x) - plain_log_plus(x, 0.0) : lgamma_1p(x - 1.0) + 0.0);
}

// log(|gamma(x)|) near one of its zeros, for x from -16.5 to -3, or no number where x is not near one.
RARE f64 gammaln_near_zero(f64 x) {
    auto pole = nearest_even(x);
    auto row = -2.0 * pole - ((x > pole ? 7.0 : 6.0));
    auto at = ((int)row) * 13;
    auto distance = (x - tables_of_gamma::LGAMMA_ZEROS[at]) - tables_of_gamma::LGAMMA_ZEROS[at + 1];
    auto place = tables_of_gamma::LGAMMA_ZEROS[at + 2];
    if (!(elementary::size(distance) < 0.03)) {
        return not_a_number<f64>();
    }
    auto sum = 0.0;
    for (int k = 10 - 1; k >= 0; --k) {
        sum = fused(sum, distance, tables_of_gamma::LGAMMA_ZEROS[at + 3 + k]);
    }
    // Close to the pole the distance from it is better known than that from the zero.
    auto part = distance / place;
    return fused(distance, sum, (part < -0.5 ? -called_log(elementary::size(x - pole) / elementary::size(place)) : -called_log1p(part)));
}

// log(|gamma(x)|) of any number.
RARE f64 gammaln_anywhere(f64 x) {
    if (x < -1e-100 && x > -1e100) {
        return gammaln_left(x);
    }
    if (x <= 0.0 && floor_of(x) == x) {
        return (x == -infinity<f64>() ? x : infinity<f64>());
    }
    return lgamma_positive(elementary::size(x));
}

// log(|gamma(x)|) for x from -1e100 to -1e-100, by the reflection: gamma(x) gamma(-x) = -pi / (x sin(pi x)).
RARE f64 gammaln_left(f64 x) {
    auto size = sinpi_size(x) * -x;
    if (size == 0.0) {
        return infinity<f64>();
    }
    if (x < -2.34 && x > -2.84) {
        auto first = (x - -2.4570247382208006) - -3.7075610815513266e-17;
        auto second = (x - -2.7476826467274127) - 9.055340329338315e-17;
        return first * second * horner(fused(4.0, x, 10.36), tables_of_gamma::LGAMMA_LEFT);
    }
    auto value = plain_log_plus(plain_quotient(tables_of_gamma::PI, size), 0.0) - plain_gammaln(-x);
    // Beside a zero little is left of both.
    if (elementary::size(value) < 6.0 && x < -3.0 && x > -16.5) {
        auto near = gammaln_near_zero(x);
        return (is_nan(near) ? value : near);
    }
    return value;
}

// log(|gamma(x)|).
RARE f64 gammaln(f64 x) {
    if (gammaln_is_rare(x)) {
        return gammaln_anywhere(x);
    }
    return lgamma_positive(x);
}

// log(gamma(x)) where it is real.
RARE f64 loggamma(f64 x) {
    if (x < 0.0) {
        return not_a_number<f64>();
    }
    return gammaln(x);
}

// The sign of the gamma function.
RARE f64 gammasgn(f64 x) {
    if (is_nan(x)) {
        return x;
    }
    if (x > 0.0) {
        return 1.0;
    }
    if (x == 0.0) {
        return with_sign(1.0, x);
    }
    if (floor_of(x) == x) {
        return not_a_number<f64>();
    }
    auto whole = floor_of(x);
    return (2.0 * floor_of(0.5 * whole) == whole ? 1.0 : -1.0);
}

// The derivative of log(gamma(x)) at any number.
RARE f64 psi_anywhere(f64 x) {
    if (x <= 0.0 && floor_of(x) == x) {
        return (x == 0.0 ? with_sign(infinity<f64>(), -x) : not_a_number<f64>());
    }
    if (elementary::size(x) < 1e-20) {
        return -1.0 / x - 0.5772156649015329;
    }
    if (!(elementary::size(x) < 1e290)) {
        return (x < 0.0 ? not_a_number<f64>() : called_log(x));
    }
    return (psi_positive(-x) - 1.0 / x) - tables_of_gamma::PI * cospi(x) / sinpi(x);
}

// digamma(x) from 1e-290 to 1e290.
inline f64 psi_positive(f64 x) {
    auto inverse = 1.0 / x;
    return (x < 2.5 ? psi_near(x, inverse) : psi_far(x, inverse));
}

// The derivative of log(gamma(x)).
RARE f64 psi(f64 x) {
    if (gammaln_is_rare(x)) {
        return psi_anywhere(x);
    }
    return psi_positive(x);
}

// The gamma function as a factor and the exponent of another one in two parts.
inline Triple gamma_parts(f64 x) {
    auto is_near = x < 3.0;
    auto near = gamma_to_3((is_near ? x : 2.5));
    auto b = (is_near ? 3.0 : x);
    auto [high, low] = stirling_exponent(b);
    auto far = horner(fused(6.0, plain_inverse(b), -1.0), tables_of_beta::GAMMA_FAR);
    return {(is_near ? near : far), (is_near ? 0.0 : high), (is_near ? 0.0 : low)};
}

// The inverse of the gamma function, likewise; the exponent is to be subtracted.
inline Triple rgamma_parts(f64 x) {
    auto is_near = x < 3.0;
    auto near = rgamma_to_3((is_near ? x : 2.5));
    auto b = (is_near ? 3.0 : x);
    auto [high, low] = stirling_exponent(b);
    auto far = horner(fused(6.0, plain_inverse(b), -1.0), tables_of_beta::RGAMMA_FAR);
    return {(is_near ? near : far), (is_near ? 0.0 : high), (is_near ? 0.0 : low)};
}

// gamma(a) gamma(b) / gamma(a + b) of numbers from 1e-100 on whose sum is below 100, the sum not rounded. One
// exponential serves all of them.
inline f64 plain_beta(f64 a, f64 b) {
    auto sum = a + b;
    auto part = sum - a;
    auto error = (a - (sum - part)) + (b - part);
    auto [left, left_high, left_low] = gamma_parts(a);
    auto [right, right_high, right_low] = gamma_parts(b);
    auto [below, below_high, below_low] = rgamma_parts(sum);
    auto both = left_high + right_high;
    auto both_part = both - left_high;
    auto both_error = (left_high - (both - both_part)) + (right_high - both_part);
    auto exponent = both - below_high;
    auto taken = both - exponent;
    auto exponent_error = (both - (exponent + taken)) + (taken - below_high);
    // Some digits of the derivative are enough beside the error.
    auto slope = plain_log(sum + 0.5) - plain_inverse(sum);
    auto low = ((left_low + right_low) - below_low) + (both_error + exponent_error);
    return exp_sum(exponent, fused(-slope, error, low)) * (left * below * right);
}

// Whether beta takes another way: of whole numbers, too.
inline bool beta_is_rare(f64 a, f64 b) {
    return !(a > 1e-100 && b > 1e-100 && a + b < 100.0) || ((a + tables_of_beta::WHOLE) - tables_of_beta::WHOLE == a && (b + tables_of_beta::WHOLE) - tables_of_beta::WHOLE == b);
}

// log(beta(a, b)) of the same numbers.
inline f64 plain_betaln(f64 a, f64 b) {
    return plain_log(plain_beta(a, b));
}

// Whether betaln takes another way.
inline bool betaln_is_rare(f64 a, f64 b) {
    return !(a > 1e-100 && b > 1e-100 && a < 30.0 && b < 30.0);
}

// The binomial coefficient of n from 1e-6 to 98 and a k that is not whole: of a k beyond n by the reflection of the gamma
// function that has a negative argument.
inline f64 plain_binom(f64 n, f64 k) {
    auto is_beyond = k > n;
    auto distance = k - n;
    // What the difference lost.
    auto part = distance - k;
    auto lost = (k - (distance - part)) - (n + part);
    auto value = plain_beta((is_beyond ? distance : (1.0 + n) - k), 1.0 + ((is_beyond ? n : k)));
    auto r = (distance - nearest_even(distance)) + lost;
    auto sine = r * horner(r * r, tables_of_beta::SINPI) * 0.3183098861837907;
    auto half = 0.5 * nearest_even(distance);
    auto turned = (nearest_even(half) == half ? sine : -sine);
    return (is_beyond ? turned * value : plain_quotient(plain_inverse(n + 1.0), value));
}

// gamma(a + m) / gamma(a) of numbers above zero, the sum, which is below 100, not rounded. One exponential serves both.
inline f64 plain_poch(f64 a, f64 m) {
    auto sum = a + m;
    auto part = sum - a;
    auto error = (a - (sum - part)) + (m - part);
    auto [above, above_high, above_low] = gamma_parts(sum);
    auto [below, below_high, below_low] = rgamma_parts(a);
    auto exponent = above_high - below_high;
    auto taken = above_high - exponent;
    auto lost = (above_high - (exponent + taken)) + (taken - below_high);
    // Some digits of the derivative are enough beside the error.
    auto slope = plain_log(sum + 0.5) - plain_inverse(sum);
    return exp_sum(exponent, fused(slope, error, (above_low - below_low) + lost)) * (above * below);
}

// Whether poch takes another way: of a whole m, too.
inline bool poch_is_rare(f64 a, f64 m) {
    return !(a > 1e-100 && m > 1e-100 && a + m < 100.0) || (m + tables_of_beta::WHOLE) - tables_of_beta::WHOLE == m;
}

// Whether binom takes another way.
inline bool binom_is_rare(f64 n, f64 k) {
    return !(n > 1e-6 && n < 98.0 && k > 0.0 && k < 98.0 && k != n) || (k + tables_of_beta::WHOLE) - tables_of_beta::WHOLE == k;
}

// gamma_parts of one element.
RARE Triple gamma_parts_alone(f64 x) {
    if (x < 3.0) {
        return {gamma_to_3(x), 0.0, 0.0};
    }
    auto [high, low] = stirling_exponent(x);
    return {horner(fused(6.0, plain_inverse(x), -1.0), tables_of_beta::GAMMA_FAR), high, low};
}

// rgamma_parts of one element.
RARE Triple rgamma_parts_alone(f64 x) {
    if (x < 3.0) {
        return {rgamma_to_3(x), 0.0, 0.0};
    }
    auto [high, low] = stirling_exponent(x);
    return {horner(fused(6.0, plain_inverse(x), -1.0), tables_of_beta::RGAMMA_FAR), high, low};
}

// log(beta(a, b)) for a from zero to b.
RARE f64 betaln_ordered(f64 a, f64 b) {
    if (a >= 8.0) {
        auto h = a / b;
        auto sum = a + b;
        auto rest = stirling_rest(a) + stirling_rest(b) - stirling_rest(sum);
        auto first = -(a - 0.5) * called_log1p(b / a);
        auto second = -b * called_log1p(h);
        return ((first + second) + (tables_of_beta::HALF_LOG_TAU - 0.5 * called_log(b))) + rest;
    }
    if (b >= 8.0) {
        auto rest = stirling_rest(b) - stirling_rest(a + b);
        auto ratio = a - (b - 0.5) * called_log1p(a / b) - a * called_log(a + b);
        return lgamma_positive(a) + (ratio + rest);
    }
    if (a < 1e-300) {
        return -called_log(a);
    }
    return called_log(gamma(a) * (gamma(b) * rgamma(a + b)));
}

// log(|beta(a, b)|).
RARE f64 betaln(f64 a, f64 b) {
    if (a > 0.0 && b > 0.0) {
        if (a == infinity<f64>() || b == infinity<f64>()) {
            return (a == b ? not_a_number<f64>() : -infinity<f64>());
        }
        return (a < b ? betaln_ordered(a, b) : betaln_ordered(b, a));
    }
    if (is_nan(a) || is_nan(b)) {
        return not_a_number<f64>();
    }
    if (a == -infinity<f64>() || b == -infinity<f64>()) {
        return infinity<f64>();
    }
    // At a pole of one gamma function the other may have one too.
    if (a <= 0.0 && floor_of(a) == a) {
        return (floor_of(b) == b && 1.0 - a - b > 0.0 ? betaln_ordered_any(1.0 - a - b, b) : infinity<f64>());
    }
    if (b <= 0.0 && floor_of(b) == b) {
        return (floor_of(a) == a && 1.0 - a - b > 0.0 ? betaln_ordered_any(1.0 - a - b, a) : infinity<f64>());
    }
    if (b > 1e6 && elementary::size(a) < 0.5 * b) {
        return gammaln(a) - log_poch_large(b, a);
    }
    if (a > 1e6 && elementary::size(b) < 0.5 * a) {
        return gammaln(b) - log_poch_large(a, b);
    }
    return gammaln(a) + (gammaln(b) - gammaln(a + b));
}

// log(gamma(a + m) / gamma(a)) for a large beside m.
inline f64 log_poch_large(f64 a, f64 m) {
    auto end = a + m;
    return fused(end - 0.5, called_log1p(m / a), m * (called_log(a) - 1.0)) + (stirling_rest(end) - stirling_rest(a));
}

// log(beta(a, b)) of numbers above zero in any order, infinite where one is not.
RARE f64 betaln_ordered_any(f64 a, f64 b) {
    if (a <= 0.0 || b <= 0.0) {
        return infinity<f64>();
    }
    return (a < b ? betaln_ordered(a, b) : betaln_ordered(b, a));
}

// gamma(a) gamma(b) / gamma(a + b) of numbers of moderate size, the sum not rounded.
RARE f64 beta_near(f64 a, f64 b) {
    auto sum = a + b;
    auto part = sum - a;
    auto error = (a - (sum - part)) + (b - part);
    auto value = gamma(a) * rgamma(sum) * gamma(b);
    return (error == 0.0 ? value : fused(-value * psi(sum), error, value));
}

// gamma(a) gamma(b) / gamma(a + b).
RARE f64 beta(f64 a, f64 b) {
    if (a > 0.0 && b > 0.0) {
        if (a + b < 100.0 && a > 1e-100 && b > 1e-100) {
            return beta_near(a, b);
        }
        return called_exp(betaln(a, b));
    }
    if (is_nan(a) || is_nan(b)) {
        return not_a_number<f64>();
    }
    if (a == -infinity<f64>() || b == -infinity<f64>()) {
        return infinity<f64>();
    }
    if (a <= 0.0 && floor_of(a) == a) {
        if (floor_of(b) == b && 1.0 - a - b > 0.0 && b > 0.0) {
            auto sign = (2.0 * floor_of(0.5 * b) == b ? 1.0 : -1.0);
            return sign * called_exp(betaln_ordered_any(1.0 - a - b, b));
        }
        return infinity<f64>();
    }
    if (b <= 0.0 && floor_of(b) == b) {
        if (floor_of(a) == a && 1.0 - a - b > 0.0 && a > 0.0) {
            auto sign = (2.0 * floor_of(0.5 * a) == a ? 1.0 : -1.0);
            return sign * called_exp(betaln_ordered_any(1.0 - a - b, a));
        }
        return infinity<f64>();
    }
    if (a + b <= 0.0 && floor_of(a + b) == a + b) {
        return 0.0;
    }
    if (elementary::size(a) < 100.0 && elementary::size(b) < 100.0) {
        return beta_near(a, b);
    }
    return gammasgn(a) * gammasgn(b) * gammasgn(a + b) * called_exp(betaln(a, b));
}

// The binomial coefficient of real n and k.
RARE f64 binom(f64 n, f64 k) {
    if (is_nan(n) || is_nan(k) || (n < 0.0 && floor_of(n) == n)) {
        return not_a_number<f64>();
    }
    if (floor_of(k) == k && (elementary::size(n) > 1e-8 || n == 0.0)) {
        auto count = k;
        if (floor_of(n) == n && k > 0.5 * n && n > 0.0) {
            count = n - k;
        }
        if (count >= 0.0 && count < 20.0) {
            auto above = 1.0;
            auto below = 1.0;
            auto i = 1.0;
            while (i <= count) {
                above *= n - count + i;
                below *= i;
                if (elementary::size(above) > 1e50) {
                    above /= below;
                    below = 1.0;
                }
                i += 1.0;
            }
            return above / below;
        }
    }
    if (n >= 1e10 * k && k > 0.0) {
        return called_exp(-betaln(1.0 + n - k, 1.0 + k) - called_log(n + 1.0));
    }
    if (k > 1e8 * elementary::size(n)) {
        // gamma(1 + n) sin(pi (k - n)) / (pi k^(1 + n)), with the next term.
        auto value = gamma(1.0 + n) / elementary::size(k) + gamma(1.0 + n) * n / (2.0 * k * k);
        value /= tables_of_beta::PI * called_pow(elementary::size(k), n);
        auto whole = floor_of(k);
        auto d = k - n;
        auto sign = 1.0;
        if (elementary::size(whole - k) < 1e-300) {
            d = -n;
            sign = (2.0 * floor_of(0.5 * whole) == whole ? 1.0 : -1.0);
        }
        return value * sinpi(d) * sign;
    }
    if (n < -1e6 && elementary::size(k) < -0.5 * n) {
        // By the reflection of both gamma functions.
        auto turn = cospi(k) - sinpi(k) * cospi(n) / sinpi(n);
        return turn * rgamma(k + 1.0) * called_exp(log_poch_large(-n, k));
    }
    return 1.0 / (n + 1.0) / beta(1.0 + n - k, 1.0 + k);
}

// gamma(a + m) / gamma(a).
RARE f64 poch(f64 a, f64 m) {
    if (is_nan(a) || is_nan(m)) {
        return not_a_number<f64>();
    }
    if (m == 0.0) {
        return 1.0;
    }
    if (floor_of(m) == m && elementary::size(m) <= 30.0) {
        auto value = 1.0;
        auto k = 0.0;
        while (k < m) {
            value *= a + k;
            k += 1.0;
        }
        while (k > m) {
            k -= 1.0;
            value /= a + k;
        }
        return value;
    }
    auto end = a + m;
    if (end <= 0.0 && floor_of(end) == end && !(a <= 0.0 && floor_of(a) == a)) {
        return infinity<f64>();
    }
    if (a <= 0.0 && floor_of(a) == a) {
        if (end > 0.0 || floor_of(end) != end) {
            return 0.0;
        }
        auto whole = floor_of(elementary::size(m));
        auto sign = (2.0 * floor_of(0.5 * whole) == whole ? 1.0 : -1.0);
        return sign * called_exp(lgamma_positive(1.0 - a) - lgamma_positive(1.0 - end));
    }
    if (!poch_is_rare(a, m)) {
        return plain_poch(a, m);
    }
    if (elementary::size(a) < 100.0 && elementary::size(end) < 100.0) {
        auto part = end - a;
        auto error = (a - (end - part)) + (m - part);
        auto value = gamma(end) * rgamma(a);
        return (error == 0.0 ? value : fused(value * psi(end), error, value));
    }
    if (a > 1e6 && elementary::size(m) < 0.5 * a) {
        return called_exp(log_poch_large(a, m));
    }
    if (a >= 8.0 && end >= 8.0) {
        auto [end_high, end_low] = stirling(end);
        auto [a_high, a_low] = stirling(a);
        auto difference = end_high - a_high;
        auto value = called_exp(difference);
        return (value == infinity<f64>() ? value : fused(value, end_low - a_low, value));
    }
    return gammasgn(end) * gammasgn(a) * called_exp(gammaln(end) - gammaln(a));
}

// A number above zero to some power.
inline f64 plain_power(f64 a, f64 y) {
    auto [high, low] = log_in_two(a);
    auto exponent = y * high;
    auto below = (exponent > 790.0 ? 790.0 : exponent);
    auto bounded = (below < -790.0 ? -790.0 : below);
    return exp_sum(bounded, (bounded == exponent ? fused(y, low, fused(y, high, -exponent)) : 0.0));
}

// The sum of (q + k)^-x over k from 0 on, by Euler and Maclaurin; continued to the left of x = 1.
RARE f64 zeta_sum(f64 x, f64 q) {
    auto sum = 0.0;
    auto a = q;
    while (a <= 0.0) {
        sum += called_pow(a, -x);
        a += 1.0;
    }
    auto end = (x < 2.0 ? 12.0 : x + 10.0);
    auto power = 0.0;
    f64 terms[4] = {};
    for (;;) {
        // Four at a time, the last one for what follows the sum.
        for (int i = 0; i < 4; ++i) {
            terms[i] = plain_power(a + ((f64)i), -x);
        }
        sum = ((sum + terms[0]) + terms[1]) + terms[2];
        power = terms[3];
        a += 3.0;
        // The sum may be infinite, or none where infinite terms have both signs.
        if (!(power > 1e-17 * elementary::size(sum))) {
            return sum + power;
        }
        if (a >= end) {
            break;
        }
        sum += power;
        a += 1.0;
    }
    auto square = 1.0 / (a * a);
    auto factor = x / a;
    auto rest = a / (x - 1.0) + 0.5;
    auto k = 0.0;
    for (int j = 0; j < 12; ++j) {
        auto term = tables_of_zeta::BERNOULLI[j] * factor;
        rest += term;
        if (elementary::size(term) < 1e-18 * elementary::size(rest)) {
            break;
        }
        factor *= (x + k + 1.0) * (x + k + 2.0) * square;
        k += 2.0;
    }
    return fused(power, rest, sum);
}

// The zeta function of Hurwitz for x above 1.
RARE f64 zeta(f64 x, f64 q) {
    if (is_nan(x) || is_nan(q)) {
        return not_a_number<f64>();
    }
    if (x == 1.0) {
        return infinity<f64>();
    }
    if (x < 1.0) {
        return not_a_number<f64>();
    }
    if (q <= 0.0) {
        if (q == floor_of(q)) {
            return infinity<f64>();
        }
        if (x != floor_of(x)) {
            return not_a_number<f64>();
        }
        if (q < -1e5) {
            return not_a_number<f64>();
        }
    }
    if (x == infinity<f64>()) {
        return (q > 1.0 ? 0.0 : (q == 1.0 ? 1.0 : infinity<f64>()));
    }
    if (q > 1e8) {
        return (1.0 / (x - 1.0) + 1.0 / (2.0 * q)) * called_pow(q, 1.0 - x);
    }
    return zeta_sum(x, q);
}

// The zeta function of Riemann from -1 on.
RARE f64 zeta_right(f64 x) {
    if (x < 7.0) {
        return horner(fused(0.25, x, -0.75), tables_of_zeta::ZETA_1) + 1.0 / (x - 1.0);
    }
    if (x < 35.0) {
        auto rest = (x < 15.0 ? horner(fused(0.25, x, -2.75), tables_of_zeta::ZETA_2) : horner(fused(0.1, x, -2.5), tables_of_zeta::ZETA_3));
        return fused(called_exp2(-x), rest, 1.0);
    }
    return (x > 60.0 ? 1.0 : 1.0 + called_exp2(-x));
}

// The zeta function of Riemann.
RARE f64 riemann_zeta(f64 x) {
    if (x == infinity<f64>()) {
        return 1.0;
    }
    if (is_nan(x) || x == -infinity<f64>()) {
        return not_a_number<f64>();
    }
    if (x == 1.0) {
        return infinity<f64>();
    }
    if (x >= -0.01) {
        return zeta_right(x);
    }
    if (2.0 * floor_of(0.5 * x) == x) {
        return 0.0;
    }
    // The reflection; the power and the gamma function are taken by halves, so that neither overflows alone.
    auto y = 1.0 - x;
    auto value = 2.0 * sinpi(0.5 * x) * zeta_right(y);
    if (y < 20.0) {
        return value * gamma(y) * called_pow(6.283185307179586, -y);
    }
    if (y > 300.0) {
        return with_sign(infinity<f64>(), value);
    }
    // gamma(y) / (2 pi)^y by the logarithms of both, in two parts.
    auto [high, low] = stirling(y);
    auto power = y * 1.8378770664093456;
    auto power_low = fused(y, 1.8378770664093456, -power) + y * -7.756588316134483e-17;
    auto exponent = high - power;
    auto taken = high - exponent;
    auto lost = (high - (exponent + taken)) + (taken - power);
    auto root = exp_sum(0.5 * exponent, 0.5 * ((low - power_low) + lost));
    return value * root * root;
}

// The zeta function of Riemann, less one.
RARE f64 zetac(f64 x) {
    if (x > 1.0) {
        if (x < 2.0) {
            return (horner(fused(0.25, x, -0.75), tables_of_zeta::ZETA_1) - 1.0) + 1.0 / (x - 1.0);
        }
        auto first = called_exp2(-x);
        if (x < 7.0) {
            return first * ((x < 4.0 ? horner(x - 3.0, tables_of_zeta::ZETA_LESS_1) : horner((x - 5.5) * 0.6666666666666666, tables_of_zeta::ZETA_LESS_2)));
        }
        if (x < 35.0) {
            return first * ((x < 15.0 ? horner(fused(0.25, x, -2.75), tables_of_zeta::ZETA_2) : horner(fused(0.1, x, -2.5), tables_of_zeta::ZETA_3)));
        }
        // 2^-x and, beside it, 3^-x, 4^-x and 5^-x.
        auto bounded = (x < 100.0 ? x : 100.0);
        auto second = quick_exp(-0.4054651081081644 * bounded);
        auto fourth = quick_exp(-0.9162907318741551 * bounded);
        return (x > 1080.0 ? 0.0 : fused(first, (second + first) + fourth, first));
    }
    if (x == 1.0) {
        return infinity<f64>();
    }
    return riemann_zeta(x) - 1.0;
}

}  // namespace special
}  // namespace elementary

template <class T> T cu_gamma(T a) {
    return (T)(elementary::special::gamma_is_rare((f64)a) ? elementary::special::gamma((f64)a) : elementary::special::plain_gamma((f64)a));
}
template <class T> T cu_rgamma(T a) {
    return (T)(elementary::special::rgamma_is_rare((f64)a) ? elementary::special::rgamma((f64)a) : elementary::special::plain_rgamma((f64)a));
}
template <class T> T cu_gammaln(T a) {
    return (T)(elementary::special::gammaln_is_rare((f64)a) ? elementary::special::gammaln((f64)a) : elementary::special::plain_gammaln((f64)a));
}
template <class T> T cu_loggamma(T a) {
    return (T)(elementary::special::gammaln_is_rare((f64)a) ? elementary::special::loggamma((f64)a) : elementary::special::plain_gammaln((f64)a));
}
template <class T> T cu_gammasgn(T a) { return (T)elementary::special::gammasgn((f64)a); }
template <class T> T cu_psi(T a) {
    return (T)(elementary::special::gammaln_is_rare((f64)a) ? elementary::special::psi((f64)a) : elementary::special::plain_psi((f64)a));
}
template <class T> T cu_beta(T a, T b) {
    return (T)(elementary::special::beta_is_rare((f64)a, (f64)b) ? elementary::special::beta((f64)a, (f64)b) : elementary::special::plain_beta((f64)a, (f64)b));
}
template <class T> T cu_betaln(T a, T b) {
    return (T)(elementary::special::betaln_is_rare((f64)a, (f64)b) ? elementary::special::betaln((f64)a, (f64)b) : elementary::special::plain_betaln((f64)a, (f64)b));
}
template <class T> T cu_binom(T a, T b) {
    return (T)(elementary::special::binom_is_rare((f64)a, (f64)b) ? elementary::special::binom((f64)a, (f64)b) : elementary::special::plain_binom((f64)a, (f64)b));
}
template <class T> T cu_poch(T a, T b) {
    return (T)(elementary::special::poch_is_rare((f64)a, (f64)b) ? elementary::special::poch((f64)a, (f64)b) : elementary::special::plain_poch((f64)a, (f64)b));
}
template <class T> T cu_zeta(T a, T b) { return (T)elementary::special::zeta((f64)a, (f64)b); }
template <class T> T cu_riemann_zeta(T a) { return (T)elementary::special::riemann_zeta((f64)a); }
template <class T> T cu_zetac(T a) { return (T)elementary::special::zetac((f64)a); }
