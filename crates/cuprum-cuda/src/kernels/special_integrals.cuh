// Integrals of elementary functions: exponential, sine, cosine and Fresnel's integrals, Dawson's and the dilogarithm.
// Written by scripts/special_texts.py from cuprum-lanes/src/math/special: integrals.rs.

namespace elementary {
namespace special {

namespace tables_of_integrals {
COEFFICIENTS f64 E1_1[] = {
    0.54037612994028385, 0.065219409131832238, -0.010998568444342466, 0.0021171660437830235, -0.00044967497215154402,
    0.00010273734654396167, -2.4795284401424533e-5, 6.241157005122433e-6, -1.6235373366796399e-6,
    4.3360686094275905e-7, -1.1831769136572234e-7, 3.2865821639805223e-8, -9.2665993062094947e-9,
    2.6430569525520271e-9, -7.627444635419286e-10, 2.2630120985832834e-10, -6.6777550226846328e-11,
    1.6605708695890188e-11, -4.8243092538197473e-12, 2.8536203347427721e-12, -8.8508196120147632e-13
};
COEFFICIENTS f64 E1_2[] = {
    0.67238500393737443, 0.060320836614478682, -0.012221040518265773, 0.0026722108942347815, -0.00062055214218821342,
    0.00015112891067751905, -3.8227685979219815e-5, 9.9695885501073772e-6, -2.6657080375385706e-6,
    7.2763575825016603e-7, -2.0208265153170822e-7, 5.6955449048855399e-8, -1.6255061995659714e-8,
    4.684041451609757e-9, -1.363712662320211e-9, 4.0796301138971373e-10, -1.2119818571346019e-10,
    3.0193325158716764e-11, -8.8156252884777635e-12, 5.2793695012760401e-12, -1.6440634602263207e-12
};
COEFFICIENTS f64 E1_3[] = {
    0.80786766059303603, 0.058030488286569465, -0.018233957165882705, 0.005922977073593787, -0.0019785503719772083,
    0.00067673060776593664, -0.00023615649008993138, 8.3836570782493558e-5, -3.0204973387010439e-5,
    1.1022484142589093e-5, -4.067510628235785e-6, 1.5158032009187405e-6, -5.6979449527918351e-7,
    2.1576740602727328e-7, -8.2284411606952616e-8, 3.1740429596859218e-8, -1.2272462318912646e-8,
    4.5244524000829993e-9, -1.7394422556263882e-9, 9.1254911968119125e-10, -3.7424445329697268e-10,
    1.8304169642358642e-12, 5.2872886776355269e-12, 5.0885167939561817e-11, -2.1249220394583621e-11
};
COEFFICIENTS f64 E1_4[] = {
    0.91563333939788081, -0.071966733376689018, 0.0099670972495381721, -0.0018576639965636474,
    0.00041974904824367606, -0.00010891518611945516, 3.1412277817886423e-5, -9.855895394130226e-6,
    3.3139310760719237e-6, -1.1810046709474095e-6, 4.4236561944086441e-7, -1.7298206228164112e-7,
    7.0257302559572238e-8, -2.9653031608651271e-8, 1.290259011401211e-8, -5.3986677439641018e-9,
    2.3426294585467219e-9, -1.7297767179525463e-9, 9.9314306200475743e-10, 3.3398172857110822e-10,
    -3.2407742145780645e-10, -5.5066061506247953e-10, 3.7752385092663668e-10, 2.0965178220536884e-10,
    -1.4405938722542867e-10, -5.8166843837975648e-11, 3.6602202867171836e-11
};
COEFFICIENTS f64 EI_1[] = {
    1.4464226116849942, 0.43324689636984512, 0.10638070437338108, 0.021247954051104805, 0.0035515323722779422,
    0.000509336313517471, 6.3917094107977693e-5, 7.1278864009032825e-6, 7.1515012871641423e-7, 6.5206706669398462e-8,
    5.4483136873410984e-9, 4.2005419701752401e-10, 3.0068119850824047e-11, 2.0365370636849462e-12,
    1.2741246322386198e-13
};
COEFFICIENTS f64 EI_2[] = {
    1.4717823885909544, -0.076909702061736854, -0.093962062643647038, 0.076884833569857238, -0.030206088285934839,
    0.0069439134432536525, -0.00048358702828641264, -0.00038604370047797369, 0.00023532834123922829,
    -9.0089612414152374e-5, 2.9273056738215647e-5, -8.9914218392597943e-6, 2.7669558924974109e-6,
    -8.7790456571953478e-7, 2.894916823628007e-7, -9.9133217997662391e-8, 3.4849876382462512e-8,
    -1.2088705939780563e-8, 4.3624512000125164e-9, -2.016824028083292e-9, 7.8422923297774752e-10,
    -4.1610360020878058e-11, 4.3283973556038234e-12, -9.4148896776745408e-11, 3.8192624785018617e-11
};
COEFFICIENTS f64 EI_3[] = {
    1.2004214995996308, -0.10091324913253337, 0.042632603249153616, -0.012232667198496849, 0.00080240252191392531,
    0.001477096101075453, -0.0010551450816786525, 0.00045221777468208027, -0.00014446155089055155,
    3.5709187129721674e-5, -6.4112904497028883e-6, 5.0040337646471005e-7, 2.0199529089736513e-7,
    -1.2789390408672293e-7, 4.7321381562762328e-8, -1.4455614480058291e-8, 4.0515102853464876e-9,
    -1.0744026580823274e-9, 2.4927341858589332e-10, -6.3575313906464477e-11, 2.9561291663632314e-11,
    -8.3260557853325893e-12
};
COEFFICIENTS f64 EI_4[] = {
    1.0781031073861606, -0.031147834468749598, 0.012783663350073526, -0.005422160139714248, 0.0023548671353953344,
    -0.0010184538492370952, 0.00042090485885457546, -0.00015837275860180181, 5.0887651058458532e-5,
    -1.2135723457509067e-5, 8.2278206840124614e-7, 1.2403596341734787e-6, -9.7564548486419721e-7,
    4.9140772452358674e-7, -1.9973455195523952e-7, 6.9683335639701555e-8, -2.1329682741145434e-8,
    5.7075630966172393e-9, -1.2650134946040109e-9, 2.1733199962245242e-10, -3.8349761138161629e-11,
    -1.6547547693813653e-12, 1.3007105424906851e-11, -4.7469936089679697e-12
};
COEFFICIENTS f64 EI_5[] = {
    1.0303627959015624, -0.013857883137052534, 0.0063394224157286874, -0.0029072799872071304, 0.0013369310668881798,
    -0.00061664406285346577, 0.00028536803138987225, -0.00013255471360801348, 6.1833371663155674e-5,
    -2.8984798741422762e-5, 1.3664754512118454e-5, -6.4861683090916847e-6, 3.104126299472201e-6,
    -1.4997144310628772e-6, 7.3122740726173403e-7, -3.6071248652719096e-7, 1.8247232487912192e-7,
    -9.2209717436887071e-8, 4.1926402072938127e-8, -2.0208051234860573e-8, 1.5356433385096945e-8,
    -8.2088435956161657e-9, -5.6768169948522863e-10, 9.0263924150779716e-10, 1.8763317626052994e-9,
    -1.0730015861111251e-9, -2.6418057010842128e-10, 1.9378222105581612e-10
};
COEFFICIENTS f64 SI[] = {
    0.64889242092687172, -0.26998630593421983, 0.06995436230262994, -0.010180919854579487, 0.00092604394058856603,
    -5.7295100439749181e-5, 2.562902980424153e-6, -8.6693296400742109e-8, 2.2947074778095172e-9,
    -4.8820436536706354e-11, 8.5350346684540574e-13, -1.2465253208934712e-14
};
COEFFICIENTS f64 CI_1[] = {
    -0.21595294923335617, 0.028052992744007491, -0.0019814424249731643, 8.4307181393225591e-5,
    -2.3741311576833205e-6, 4.7361256797303091e-8, -7.03382537531915e-10, 8.0740247180759961e-12,
    -7.3762830838210276e-14, 5.4883466951695466e-16
};
COEFFICIENTS f64 CI_2[] = {
    -0.29668001309489828, 0.051457065654749988, 0.02056075070965367, -0.0042788277677966313, -1.427329092692159e-5,
    1.5629342347223375e-5, 7.6823860915182423e-6, -1.675597157898842e-6, 2.5934457107250441e-7,
    -5.3078684308462686e-8, 1.1562849310747781e-8, -2.4484715398185451e-9, 5.1989164268563181e-10,
    -1.1153071409140934e-10, 2.4029938623486764e-11, -5.055087247843699e-12, 1.0936382748228263e-12,
    -3.0980746923686324e-13, 6.8646289646697697e-14
};
COEFFICIENTS f64 SICI_F[] = {
    0.9870883480756537, -0.032195020845840015, -0.027010568288989156, -0.0091886832126246561, -0.0016104927408074243,
    -0.00021115801833594323, -8.0559818396530049e-5, -1.8451703584289388e-5, -1.3101288694193589e-6,
    -1.5870204200114647e-6, -2.1258047165450751e-7, 2.7966048504068855e-8, -6.8087204762488623e-8,
    1.2321613169166604e-8, -2.6200446126019662e-9, -2.1701397305279152e-9, 2.1451593483691261e-9,
    -1.6073264343724384e-9, 2.3425340723661088e-10, 3.3966336362861158e-10, -1.4122895486977676e-10
};
COEFFICIENTS f64 SICI_G[] = {
    0.96294208244127394, -0.088808383702240098, -0.066646918594979486, -0.014297902109790846, 0.0012681916202739461,
    0.00050892050107666407, -0.00015516322183534737, 2.9946209543528398e-5, 1.5027639300450611e-5,
    -7.7022409472599426e-6, 2.5252765127629926e-6, 9.8790256004096373e-8, -4.3155659465734394e-7,
    2.728184227276961e-7, -8.8134626897940539e-8, 1.139544696859603e-8, 9.3847984266869206e-9,
    -1.6394387612451947e-8, 1.2809266003941518e-8, -1.6329266632210836e-9, -2.9141351860946707e-9,
    1.1148006944188941e-9
};
COEFFICIENTS f64 DAWSON_1[] = {
    0.72477845900707633, -0.22477845900707632, 0.043583844255307248, -0.0061207677541281182, 0.00067278722221447325,
    -6.0710446799604924e-5, 4.6448449503488211e-6, -3.0838447170230309e-7, 1.8081655554010172e-8,
    -9.4917318642579053e-10, 4.5101726983020787e-11, -1.9668553025026113e-12, 7.8526993761204789e-14
};
COEFFICIENTS f64 DAWSON_2[] = {
    0.64237360662809794, 0.00056412560055240917, -0.071609897514463192, 0.035663917357093305, -0.0014389860898355294,
    -0.0040262938426826879, 0.001150472069689168, 8.8994757644609538e-5, -9.8863093691252202e-5,
    1.091501004386105e-5, 3.8551434310928153e-6, -1.0714521711153694e-6, -4.1304184609880854e-8,
    4.9410156818077256e-8, -3.7026358662205616e-9, -1.3947950845667676e-9, 2.5190282326354552e-10,
    2.1565641005675398e-11, -8.1343965654942038e-12
};
COEFFICIENTS f64 DAWSON_3[] = {
    0.53481309183167486, -0.030607520379490885, 0.022196377475122963, -0.013785234570754959, 0.0058802668727153431,
    -0.0001637029618837332, -0.0021884037871631824, 0.0019303423287172416, -0.00082249852208155387,
    6.5746765471672586e-5, 0.00014332939310555053, -9.1329019782927197e-5, 1.9604607003087476e-5,
    6.17321460582915e-6, -5.6617181592583559e-6, 1.3828214034841356e-6, 2.362605656055261e-7, -2.562780336897899e-7,
    5.7736443359955132e-8, 1.0291694744311655e-8, -9.2629280026663672e-9, 1.575808981278286e-9,
    5.1084916395758703e-10, -2.5353149715079407e-10, -1.3457408888830198e-12, 1.3994003404407429e-11
};
COEFFICIENTS f64 DAWSON_4[] = {
    0.50871277770915118, -0.0050209837348623218, 0.0022156161214339228, -0.00088867526444671791,
    0.00034236128368770064, -0.00013003256365563782, 4.9464394821975287e-5, -1.9070222355068881e-5,
    7.5337931031436825e-6, -3.0849526801086618e-6, 1.3232818329475894e-6, -5.9670028306930496e-7,
    2.7909279260460139e-7, -1.3045047834978244e-7, 5.7214877057128857e-8, -2.1049283466838095e-8,
    4.3883399088495044e-9, 1.7244917796904171e-9, -2.5345807061735144e-9, 1.7076163687653086e-9,
    -9.9769566618682639e-10, 4.3876837625254138e-10, -4.0523160048369199e-12, -1.0101499263548284e-10,
    3.2125501464831277e-11
};
COEFFICIENTS f64 DAWSON_5[] = {
    0.50259110002218091, 0.00263225216263829, 4.2265760433148282e-5, 1.1567855135504891e-6, 4.5368351444290451e-8,
    2.343634202076415e-9, 1.5173653337653151e-10, 1.1918307802708581e-11, 1.1087776889002252e-12,
    1.2028981064233594e-13, 1.6212914278900062e-14, 2.381861225978203e-15
};
COEFFICIENTS f64 FRESNEL_S[] = {
    0.28893936264084605, -0.17613565013954473, 0.050132952592302288, -0.0076292787449017962, 0.00071423203124419547,
    -4.5168950886221896e-5, 2.0578118584380483e-6, -7.0744412319460298e-8, 1.9005632610677374e-9,
    -4.1002408595059046e-11, 7.2642603609338734e-13, -1.0746132833319162e-14
};
COEFFICIENTS f64 FRESNEL_C[] = {
    0.44345811214457081, -0.34983509785153881, 0.16644305991154654, -0.035626646649955504, 0.0042878183852013105,
    -0.00033077607764280324, 1.7764277351419295e-5, -7.0283201547897899e-7, 2.1346450716406126e-8,
    -5.1353270765423847e-10, 1.0029390681445807e-11, -1.6229472687215536e-13, 2.2094634192424986e-15
};
COEFFICIENTS f64 FRESNEL_F[] = {
    0.99504219491709647, -0.01252220896374201, -0.01089871009096665, -0.0041993939532799653, -0.0010394026246410921,
    -0.00022355042018593394, -6.377985117337351e-5, -1.7503616511551956e-5, -3.9639979464207036e-6,
    -1.3140815908519125e-6, -3.5465406044321782e-7, -7.6493135159673242e-8, -3.6418007572326785e-8,
    -5.8642451133969292e-9, -2.3921921342756984e-9, -1.2102713227555695e-9, 4.1660304669674046e-10,
    -2.530677592941284e-10, -1.1664063355892547e-10, 4.410083554623021e-11
};
COEFFICIENTS f64 FRESNEL_G[] = {
    0.97618463912584857, -0.058018266608122964, -0.045739701137209752, -0.012438550608382804,
    -0.00070516984186340309, 0.00012331140876599647, -8.3261977123540238e-5, -1.6736984315354889e-7,
    6.6737886261791652e-6, -2.9525455269025172e-6, 6.3378517023051068e-7, 1.6228219776557704e-7,
    -1.801315996702472e-7, 8.9515299514678368e-8, -2.2017030488470978e-8, -7.5080846372519557e-10,
    5.8710213323790613e-9, -5.9628799503784685e-9, 3.1304298798180646e-9, 1.2825500505629541e-10,
    -8.517718374596173e-10, 2.5554353020379993e-10
};
COEFFICIENTS f64 SPENCE[] = {
    0.027777777777777778, -0.00027777777777777778, 4.7241118669690098e-6, -9.1857730746619636e-8,
    1.8978869988970999e-9, -4.0647616451442255e-11, 8.9216910204564526e-13, -1.9939295860721076e-14,
    4.5189800296199182e-16, -1.0356517612181247e-17, 2.3952186210261867e-19, -5.5817858743250093e-21
};
COEFFICIENTS f64 EULER = 0.5772156649015329;
COEFFICIENTS f64 PI = 3.141592653589793;
COEFFICIENTS f64 CI_ZERO = 0.6165054856207163;
COEFFICIENTS f64 CI_ZERO_LOW = -4.209920321433186e-17;
COEFFICIENTS f64 CI_ZERO_INVERSE_LOW = -8.354850171457824e-17;
}

inline f64 plain_spence(f64 x);
inline bool spence_is_rare(f64 x);
inline Pair sici_parts(f64 x);
inline f64 plain_si(f64 x);
inline f64 plain_ci(f64 x);
inline bool sici_is_rare(f64 x);
inline Quadruple fresnel_parts(f64 x);
inline f64 plain_fresnel_s(f64 x);
inline f64 plain_fresnel_c(f64 x);
inline bool fresnel_is_rare(f64 x);
RARE f64 exp1_scaled(f64 x);
RARE f64 entire_exponential(f64 x);
RARE f64 exp1(f64 x);
RARE f64 expi_scaled(f64 x);
RARE f64 expi(f64 x);
RARE f64 expn(f64 order, f64 x);
RARE f64 sici_si(f64 x);
RARE f64 sici_ci(f64 x);
RARE f64 shichi_shi(f64 x);
RARE f64 shichi_chi(f64 x);
RARE f64 spence(f64 x);
inline f64 spence_low(f64 x);
inline f64 spence_middle(f64 x);
RARE f64 dawsn(f64 x);
RARE f64 erfi(f64 x);
RARE f64 fresnel_s(f64 x);
RARE f64 fresnel_c(f64 x);

// The dilogarithm of 1 - x for x from 1e-290 to 1e290.
inline f64 plain_spence(f64 x) {
    auto is_far = x > 2.0;
    auto z = (is_far ? plain_inverse(x) : x);
    auto is_low = z < 0.5;
    auto middle = (is_low ? 1.0 - z : z);
    auto u = -plain_log(middle);
    auto square = u * u;
    auto near = fused(u * square, power_series(square, tables_of_integrals::SPENCE), fused(-0.25 * u, u, u));
    auto logarithm = plain_log(x);
    // The sum of pi^2/6 and a product, less what is near, with what the roundings lose.
    auto other = (is_far ? -logarithm : logarithm);
    auto product = other * u;
    auto sum = 1.6449340668482264 + product;
    auto rest = sum - near;
    auto lost = ((1.6449340668482264 - sum) + product) + ((sum - rest) - near);
    auto low = rest + (lost + (fused(other, u, -product) + 3.0363e-17));
    return (is_far ? -0.5 * logarithm * logarithm - low : (is_low ? low : 0.0 + near));
}

// Whether spence takes another way.
inline bool spence_is_rare(f64 x) {
    return !(x > 1e-290 && x < 1e290);
}

// The two parts of the sine and cosine integrals from 4 on, which stand beside cosine and sine.
inline Pair sici_parts(f64 x) {
    auto t = fused(16.0, plain_inverse(x + 4.0), -1.0);
    auto inverse = plain_inverse(x);
    return {power_series(t, tables_of_integrals::SICI_F) * inverse, power_series(t, tables_of_integrals::SICI_G) * inverse * inverse};
}

// The sine integral up to 1e5.
inline f64 plain_si(f64 x) {
    auto a = elementary::size(x);
    auto is_near = a < 4.0;
    auto near = x * power_series(fused(0.125 * a, a, -1.0), tables_of_integrals::SI);
    auto b = (is_near ? 4.0 : a);
    auto [f, g] = sici_parts(b);
    auto far = with_sign(1.5707963267948966 - fused(f, cu_cos(b), g * cu_sin(b)), x);
    return (is_near ? near : far);
}

// The cosine integral of the absolute value, from 1e-290 to 1e5.
inline f64 plain_ci(f64 x) {
    auto a = elementary::size(x);
    // With the logarithm of a over the first zero, of which the quotient is not rounded.
    auto ratio = a * 1.6220455832492229;
    auto lost = fused(a, 1.6220455832492229, -ratio) + a * tables_of_integrals::CI_ZERO_INVERSE_LOW;
    auto logarithm = plain_log_rest(ratio, plain_quotient(lost, ratio));
    auto first = fused(((a - tables_of_integrals::CI_ZERO) - tables_of_integrals::CI_ZERO_LOW) * (a + tables_of_integrals::CI_ZERO), power_series(fused(a * 0.32, a, -1.0), tables_of_integrals::CI_1), logarithm);
    auto second = ((a - 3.3841804225511862) - 1.972125462363411e-16) * power_series((a - 3.25) * 1.3333333333333333, tables_of_integrals::CI_2);
    auto b = (a < 4.0 ? 4.0 : a);
    auto [f, g] = sici_parts(b);
    auto far = fused(f, cu_sin(b), -g * cu_cos(b));
    return (a < 2.5 ? first : (a < 4.0 ? second : far));
}

// Whether the sine and cosine integrals take another way.
inline bool sici_is_rare(f64 x) {
    return !(elementary::size(x) > 1e-290 && elementary::size(x) < 1e5);
}

// Sine and cosine of pi x^2 / 2 over pi x, and these over pi x^2, times the two parts of Fresnel's integrals, for x from 1.6 on.
inline Quadruple fresnel_parts(f64 x) {
    auto square = x * x;
    auto t = fused(10.12, plain_inverse(square + 2.5), -1.0);
    auto inverse = plain_inverse(x);
    auto scale = 0.3183098861837907 * inverse;
    auto f = power_series(t, tables_of_integrals::FRESNEL_F) * scale;
    auto g = power_series(t, tables_of_integrals::FRESNEL_G) * (scale * scale) * inverse;
    auto turn = 0.5 * square;
    auto angle = tables_of_integrals::PI * (turn - 2.0 * nearest_even(0.5 * turn));
    auto low = 1.5707963267948966 * fused(x, x, -square);
    auto s = cu_sin(angle);
    auto c = cu_cos(angle);
    return {f, g, fused(low, c, s), fused(-low, s, c)};
}

// Fresnel's sine integral up to 1e8.
inline f64 plain_fresnel_s(f64 x) {
    auto a = elementary::size(x);
    auto is_near = a < 1.6;
    auto z = a * a;
    auto near = x * z * power_series(fused(z * 0.30517578125, z, -1.0), tables_of_integrals::FRESNEL_S);
    auto [f, g, s, c] = fresnel_parts((is_near ? 1.6 : a));
    return (is_near ? near : with_sign(0.5 - fused(f, c, g * s), x));
}

// Fresnel's cosine integral up to 1e8.
inline f64 plain_fresnel_c(f64 x) {
    auto a = elementary::size(x);
    auto is_near = a < 1.6;
    auto z = a * a;
    auto near = x * power_series(fused(z * 0.30517578125, z, -1.0), tables_of_integrals::FRESNEL_C);
    auto [f, g, s, c] = fresnel_parts((is_near ? 1.6 : a));
    return (is_near ? near : with_sign(0.5 + fused(f, s, -g * c), x));
}

// Whether Fresnel's integrals take another way.
inline bool fresnel_is_rare(f64 x) {
    return !(elementary::size(x) < 1e8);
}

// x exp(x) E1(x) for x from 1/2 on.
RARE f64 exp1_scaled(f64 x) {
    if (x < 1.0) {
        return power_series(4.0 * x - 3.0, tables_of_integrals::E1_1);
    }
    if (x < 2.0) {
        return power_series(2.0 * x - 3.0, tables_of_integrals::E1_2);
    }
    if (x < 5.0) {
        return power_series((x - 3.5) / 1.5, tables_of_integrals::E1_3);
    }
    return power_series(10.0 / x - 1.0, tables_of_integrals::E1_4);
}

// The sum of -(-x)^k / (k k!) over k from one on.
RARE f64 entire_exponential(f64 x) {
    auto term = x;
    auto sum = x;
    auto k = 2.0;
    while (k < 60.0) {
        term *= -x / k;
        sum += term / k;
        if (elementary::size(term) < 1e-18 * elementary::size(sum)) {
            break;
        }
        k += 1.0;
    }
    return sum;
}

// The exponential integral E1.
RARE f64 exp1(f64 x) {
    if (is_nan(x)) {
        return x;
    }
    if (x <= 0.0) {
        return (x == 0.0 ? infinity<f64>() : not_a_number<f64>());
    }
    if (x < 0.5) {
        return -called_log(x) + (entire_exponential(x) - tables_of_integrals::EULER);
    }
    return (x > 745.0 ? 0.0 : exp1_scaled(x) * called_exp(-x) / x);
}

// x exp(-x) Ei(x) for x from 2 on.
RARE f64 expi_scaled(f64 x) {
    if (x < 5.0) {
        return power_series((x - 3.5) / 1.5, tables_of_integrals::EI_2);
    }
    if (x < 10.0) {
        return power_series(0.4 * x - 3.0, tables_of_integrals::EI_3);
    }
    if (x < 20.0) {
        return power_series(0.2 * x - 3.0, tables_of_integrals::EI_4);
    }
    if (x < 50.0) {
        return power_series((x - 35.0) / 15.0, tables_of_integrals::EI_5);
    }
    auto sum = 1.0;
    auto k = 45.0;
    while (k >= 1.0) {
        sum = fused(sum, k / x, 1.0);
        k -= 1.0;
    }
    return sum;
}

// The exponential integral Ei.
RARE f64 expi(f64 x) {
    if (is_nan(x) || x == infinity<f64>()) {
        return x;
    }
    if (x <= 0.0) {
        return (x == 0.0 ? -infinity<f64>() : -exp1(-x));
    }
    if (x < 2.0) {
        auto near = (x - 0.3725074107813666) - 1.3140183414386028e-17;
        auto logarithm = (elementary::size(near) < 0.1 ? called_log1p(near / 0.3725074107813666) : called_log(x) - called_log(0.3725074107813666));
        return fused(near, power_series(x - 1.0, tables_of_integrals::EI_1), logarithm);
    }
    if (x > 717.0) {
        return infinity<f64>();
    }
    if (x < 700.0) {
        return called_exp(x) * expi_scaled(x) / x;
    }
    auto half = called_exp(0.5 * x);
    return half * (expi_scaled(x) / x) * half;
}

// The exponential integral of whole order n.
RARE f64 expn(f64 order, f64 x) {
    auto n = truncate(order);
    if (is_nan(n) || is_nan(x) || n < 0.0 || x < 0.0 || n == infinity<f64>()) {
        return not_a_number<f64>();
    }
    if (x == infinity<f64>() || x > 745.0) {
        return 0.0;
    }
    if (x == 0.0) {
        return (n < 2.0 ? infinity<f64>() : 1.0 / (n - 1.0));
    }
    if (n == 0.0) {
        return called_exp(-x) / x;
    }
    if (n == 1.0) {
        return exp1(x);
    }
    if (x > 1.0 || n > 5000.0) {
        // The continued fraction, from its end.
        auto tail = 0.0;
        auto i = nearest_even(25.0 + 90.0 / (x + 0.1 * n));
        while (i >= 1.0) {
            tail = i * (n - 1.0 + i) / (x + n + 2.0 * i - tail);
            i -= 1.0;
        }
        auto h = 1.0 / (x + n - tail);
        return h * called_exp(-x);
    }
    // The series, whose term of order n - 1 has a logarithm in it.
    auto before = n - 1.0;
    auto sum = 1.0 / before;
    auto factor = 1.0;
    auto i = 1.0;
    while (i < 10000.0) {
        factor *= -x / i;
        auto term = 0.0;
        if (i == before) {
            term = factor * (psi(n) - called_log(x));
        } else {
            term = -factor / (i - before);
        }
        sum += term;
        if (elementary::size(term) < 1e-17 * elementary::size(sum) && i > before) {
            break;
        }
        i += 1.0;
    }
    return sum;
}

// The sine integral.
RARE f64 sici_si(f64 x) {
    if (elementary::size(x) < 1e5) {
        return plain_si(x);
    }
    if (elementary::size(x) > 1e17) {
        return with_sign(1.5707963267948966, x);
    }
    if (is_nan(x)) {
        return x;
    }
    auto [f, g] = sici_parts(elementary::size(x));
    return with_sign(1.5707963267948966 - fused(f, called_cos(elementary::size(x)), g * called_sin(elementary::size(x))), x);
}

// The cosine integral of the absolute value.
RARE f64 sici_ci(f64 x) {
    auto a = elementary::size(x);
    if (!sici_is_rare(x)) {
        return plain_ci(x);
    }
    if (a < 1.0) {
        return (a == 0.0 ? -infinity<f64>() : called_log(a) + tables_of_integrals::EULER);
    }
    if (a == infinity<f64>()) {
        return (x > 0.0 ? 0.0 : not_a_number<f64>());
    }
    if (is_nan(x)) {
        return x;
    }
    auto [f, g] = sici_parts(a);
    return fused(f, called_sin(a), -g * called_cos(a));
}

// The hyperbolic sine integral.
RARE f64 shichi_shi(f64 x) {
    auto a = elementary::size(x);
    if (a < 3.0) {
        auto z = x * x;
        auto term = 1.0;
        auto sum = 1.0;
        auto k = 3.0;
        while (k < 60.0) {
            term *= z / (k * (k - 1.0));
            sum += term / k;
            if (term < 1e-18) {
                break;
            }
            k += 2.0;
        }
        return x * sum;
    }
    return with_sign(0.5 * (expi(a) + exp1(a)), x);
}

// The hyperbolic cosine integral of the absolute value.
RARE f64 shichi_chi(f64 x) {
    auto a = elementary::size(x);
    if (a == 0.0) {
        return -infinity<f64>();
    }
    if (a < 1.0) {
        auto z = a * a;
        auto term = 1.0;
        auto sum = 0.0;
        auto k = 2.0;
        while (k < 60.0) {
            term *= z / (k * (k - 1.0));
            sum += term / k;
            if (term < 1e-18) {
                break;
            }
            k += 2.0;
        }
        return (called_log(a) + tables_of_integrals::EULER) + sum;
    }
    return 0.5 * (expi(a) - exp1(a));
}

// The dilogarithm of 1 - x.
RARE f64 spence(f64 x) {
    if (is_nan(x) || x < 0.0) {
        return not_a_number<f64>();
    }
    if (x == 0.0) {
        return 1.6449340668482264;
    }
    if (x == infinity<f64>()) {
        return -infinity<f64>();
    }
    if (x > 2.0) {
        auto l = called_log(x);
        return -0.5 * l * l - spence_low(1.0 / x);
    }
    return (x < 0.5 ? spence_low(x) : 0.0 + spence_middle(x));
}

// The same for x up to 1/2.
inline f64 spence_low(f64 x) {
    return 1.6449340668482264 - called_log(x) * called_log1p(-x) - spence_middle(1.0 - x);
}

// The same for x from 1/2 to 2.
inline f64 spence_middle(f64 x) {
    auto u = -called_log1p(x - 1.0);
    auto z = u * u;
    return fused(u * z, power_series(z, tables_of_integrals::SPENCE), fused(-0.25 * u, u, u));
}

// Dawson's integral.
RARE f64 dawsn(f64 x) {
    auto a = elementary::size(x);
    if (a < 1.0) {
        return x * horner(fused(2.0 * a, a, -1.0), tables_of_integrals::DAWSON_1);
    }
    if (a < 2.0) {
        return horner(fused(2.0, a, -3.0), tables_of_integrals::DAWSON_2) / x;
    }
    if (a < 4.0) {
        return horner(a - 3.0, tables_of_integrals::DAWSON_3) / x;
    }
    if (a < 7.0) {
        return horner((a - 5.5) / 1.5, tables_of_integrals::DAWSON_4) / x;
    }
    auto w = 1.0 / x;
    return horner(fused(98.0 * w, w, -1.0), tables_of_integrals::DAWSON_5) / x;
}

// The error function of an imaginary argument, without its factor i.
RARE f64 erfi(f64 x) {
    if (elementary::size(x) > 26.7) {
        return (is_nan(x) ? x : with_sign(infinity<f64>(), x));
    }
    if (x == 0.0) {
        return x;
    }
    auto square = x * x;
    auto value = called_exp(square);
    if (value == infinity<f64>()) {
        return with_sign(infinity<f64>(), x);
    }
    auto part = dawsn(x);
    auto scaled = 1.1283791670955126 * part;
    auto low = fused(1.1283791670955126, part, -scaled) + 1.533545961316588e-17 * part;
    return fused(value, scaled, value * fused(scaled, fused(x, x, -square), low));
}

// Fresnel's sine integral.
RARE f64 fresnel_s(f64 x) {
    if (fresnel_is_rare(x)) {
        return (is_nan(x) ? x : with_sign(0.5, x));
    }
    return plain_fresnel_s(x);
}

// Fresnel's cosine integral.
RARE f64 fresnel_c(f64 x) {
    if (fresnel_is_rare(x)) {
        return (is_nan(x) ? x : with_sign(0.5, x));
    }
    return plain_fresnel_c(x);
}

}  // namespace special
}  // namespace elementary

template <class T> T cu_exp1(T a) { return (T)elementary::special::exp1((f64)a); }
template <class T> T cu_expi(T a) { return (T)elementary::special::expi((f64)a); }
template <class T> T cu_expn(T a, T b) { return (T)elementary::special::expn((f64)a, (f64)b); }
template <class T> T cu_sici_si(T a) {
    return (T)(elementary::special::sici_is_rare((f64)a) ? elementary::special::sici_si((f64)a) : elementary::special::plain_si((f64)a));
}
template <class T> T cu_sici_ci(T a) {
    return (T)(elementary::special::sici_is_rare((f64)a) ? elementary::special::sici_ci((f64)a) : elementary::special::plain_ci((f64)a));
}
template <class T> T cu_shichi_shi(T a) { return (T)elementary::special::shichi_shi((f64)a); }
template <class T> T cu_shichi_chi(T a) { return (T)elementary::special::shichi_chi((f64)a); }
template <class T> T cu_spence(T a) {
    return (T)(elementary::special::spence_is_rare((f64)a) ? elementary::special::spence((f64)a) : elementary::special::plain_spence((f64)a));
}
template <class T> T cu_dawsn(T a) { return (T)elementary::special::dawsn((f64)a); }
template <class T> T cu_erfi(T a) { return (T)elementary::special::erfi((f64)a); }
template <class T> T cu_fresnel_s(T a) {
    return (T)(elementary::special::fresnel_is_rare((f64)a) ? elementary::special::fresnel_s((f64)a) : elementary::special::plain_fresnel_s((f64)a));
}
template <class T> T cu_fresnel_c(T a) {
    return (T)(elementary::special::fresnel_is_rare((f64)a) ? elementary::special::fresnel_c((f64)a) : elementary::special::plain_fresnel_c((f64)a));
}
