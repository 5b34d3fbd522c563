// Bessel functions of orders zero and one, and their modified forms.
// Bessel functions of the first and second kind of real order.
// Modified Bessel functions of real order.
// Bessel functions of large order and argument, by expansions that hold for all ratios of the two.
// Spherical Bessel functions.
// Airy's functions.
// Written by scripts/special_texts.py from cuprum-lanes/src/math/special: bessel.rs, bessel_jy.rs, bessel_ik.rs, bessel_large.rs, bessel_spherical.rs, airy.rs.

namespace elementary {
namespace special {

namespace tables_of_bessel {
COEFFICIENTS f64 J0_1[] = {
    -0.088662419122777319, 0.06466008281491797, -0.017030107053326454, 0.0023496751761325672,
    -0.00020060356509921888, 1.1671878503732114e-5, -4.9317990115809549e-7, 1.5832284373591628e-8,
    -3.9943292950884848e-10, 8.1308308162936436e-12, -1.3645500280313143e-13, 1.9187793497201454e-15
};
COEFFICIENTS f64 J0_2[] = {
    0.31389536605814858, -0.15507318473338454, -0.17372013973805456, 0.067719963959844846, 0.027051463074431258,
    -0.0092925586494556138, -0.0020774283350246499, 0.0006459306455148471, 9.6469264833878283e-5,
    -2.7493778604569133e-5, -3.0179496350713373e-6, 7.9482948451823239e-7, 6.8082860532924289e-8,
    -1.6671619779143525e-8, -1.1611069148151365e-9, 2.6539382512811249e-10, 1.5487355880850375e-11,
    -3.1729725649934857e-12, -1.5927572754950752e-13
};
COEFFICIENTS f64 J1_1[] = {
    -0.021174890016472453, 0.010530564217109451, -0.0020996102272456477, 0.00023283831603395733,
    -1.6609792010853237e-5, 8.2973632533206748e-7, -3.0710679690236176e-8, 8.7701299189079666e-10,
    -1.9924504222139414e-11, 3.6886162245875837e-13, -5.6758875536552446e-15, 7.3692128638446932e-17
};
COEFFICIENTS f64 J1_2[] = {
    0.2724374653103688, 0.14903352703224648, -0.17166720548714498, -0.045775883004596632, 0.032056637372530274,
    0.0052845444027103775, -0.0028436003833861211, -0.00032943003774603491, 0.00014768450045163176,
    1.2986891113444629e-5, -5.0469890352998138e-6, -3.5445009949634564e-7, 1.2226323315480443e-7,
    7.1074519735884686e-9, -2.2108258211921632e-9, -1.0911948536120736e-10, 3.0965109873891071e-11,
    1.2676130620790149e-12, -3.3142932254407345e-13
};
COEFFICIENTS f64 Y0_1[] = {
    0.15082466450050294, -0.029225700006808874, 0.0020197967035108743, -7.2508783459800851e-5, 1.6009831768472422e-6,
    -2.3982063517400536e-8, 2.5996999738882508e-10, -2.1350987835030946e-12, 1.3750195421595128e-14,
    -7.1308206498803148e-17
};
COEFFICIENTS f64 Y0_2[] = {
    -0.4130016534399663, -0.0092201273876944434, 0.14633248111527273, -0.0086095935837210757, -0.012427192603687685,
    0.00026765424587804774, 0.00074347956442915053, -7.2960756808301783e-5, 1.4315600142824239e-6,
    -6.7301922588627549e-6, 3.2232655998634232e-6, -1.1608251614821146e-6, 4.5420042629292297e-7,
    -1.8340311978626337e-7, 7.3724984678381138e-8, -2.970354153355966e-8, 1.2153439578352121e-8,
    -4.949584258183889e-9, 1.8263132435819345e-9, -7.2726535310985037e-10, 4.7094192574575733e-10,
    -2.0397685323534647e-10, -2.0032365357137811e-11, 1.2265800637136333e-11, 3.1031972965404598e-11,
    -1.344221421073915e-11
};
COEFFICIENTS f64 Y0_3[] = {
    0.2956097969173119, 0.05507674437178564, -0.1106452198101674, -0.0069919550693163562, 0.011832055277148331,
    0.00025518983313957905, -0.00058210166107675271, -4.3739779198717452e-6, 1.690379157543503e-5,
    -1.2867343728470056e-8, -3.1715575175198071e-7, 4.6628164926348846e-10, 4.4584940134543594e-9,
    -5.3185043590358698e-11, -3.7095914159982531e-11, -1.1349746883419008e-12, 7.2786236160809671e-13,
    -9.0446104121989139e-14
};
COEFFICIENTS f64 Y1_1[] = {
    0.17816364719455362, 0.023747381788995436, -0.019470039763120165, 0.0028552875570444536, -0.00020602882234585232,
    9.1216548994177086e-6, -2.7591530896884912e-7, 6.0913353377279901e-9, -1.0271204468026561e-10,
    1.3682290108742419e-12, -1.4766610836125656e-14
};
COEFFICIENTS f64 Y1_2[] = {
    -0.33786391642736503, 0.096097958012766244, 0.31254124632933232, -0.074402944068001536, -0.082462401876577968,
    0.016202588505392299, 0.010980007074902153, -0.0019326744163963045, -0.0008073075422764181,
    0.0001119112677913123, 5.0545978291723647e-5, -9.1841499624664645e-6, -7.6566503865031106e-8,
    -5.0391422479163712e-7, 3.654500151229915e-7, -1.5208588310344783e-7, 6.57067223174795e-8,
    -3.0260025483935829e-8, 1.4990327876543333e-8, -6.9691325153162649e-9, 1.832138777740612e-9,
    -7.1750364863320131e-10, 1.4453314337360562e-9, -7.2562321893261785e-10, -2.7725781834791465e-10,
    1.4864984703041919e-10, 1.2679914573911825e-10, -6.1039539464555106e-11
};
COEFFICIENTS f64 HANKEL_P0[] = {
    0.99945727578825195, -0.0005363673192130047, 6.1374160801094975e-6, -2.0527448156307147e-7, 1.280376144080092e-8,
    -1.2121182069774233e-9, 1.5500565496632597e-10, -2.4882702786880544e-11, 4.7869958213680279e-12,
    -1.0636861151667626e-12, 2.4531772967345006e-13, -6.4167810080154145e-14, 3.339452259070809e-14,
    -1.180002783020184e-14
};
COEFFICIENTS f64 HANKEL_Q0[] = {
    -0.12444091103610815, 0.00054665192794751095, -1.1817110661171063e-5, 5.6849718876187499e-7,
    -4.534972900180117e-8, 5.1462252685390581e-9, -7.5762802455507767e-10, 1.36265138876175e-10,
    -2.8726953457199988e-11, 6.8780548765768612e-12, -1.8315236532076327e-12, 5.5702668014199676e-13,
    -1.8114989811223088e-13, 3.750385225206321e-14, -9.9434852708207896e-15, 1.7159223662634758e-14,
    -7.6576527883023872e-15
};
COEFFICIENTS f64 HANKEL_P1[] = {
    1.0009070262780822, 0.00089880494167055791, -7.9596946984383005e-6, 2.4536766222672441e-7,
    -1.4708512991275257e-8, 1.3603058049468316e-9, -1.7131074852941311e-10, 2.720406848040165e-11,
    -5.191158004646548e-12, 1.1462229852806784e-12, -2.6335760672461096e-13, 6.8644866648461814e-14,
    -3.5455617466606254e-14, 1.2489929194563941e-14
};
COEFFICIENTS f64 HANKEL_Q1[] = {
    0.37421499221959182, -0.00076971670576435412, 1.4569614809851412e-5, -6.6335685672178796e-7,
    5.1361059970711926e-8, -5.7208842284099816e-9, 8.3160773500382614e-10, -1.4819760550541305e-10,
    3.1003648372305748e-11, -7.3875756526956234e-12, 2.0027287747665846e-12, -5.9306634297115336e-13,
    1.3996264453471973e-13, -3.9930634717453951e-14, 4.2756218221948176e-14, -1.8043072000621921e-14
};
COEFFICIENTS f64 I0_SERIES[] = {
    1.0, 1.0, 0.25, 0.027777777777777778, 0.0017361111111111111, 6.9444444444444444e-5, 1.9290123456790123e-6,
    3.9367598891408415e-8, 6.1511873267825649e-10, 7.5940584281266233e-12, 7.5940584281266233e-14,
    6.2760813455591928e-16, 4.358389823304995e-18, 2.5789288895295828e-20, 1.3157800456783586e-22,
    5.8479113141260382e-25, 2.2843403570804837e-27, 7.9042918930120542e-30, 2.4395962632753254e-32,
    6.7578843858042254e-35, 1.6894710964510564e-37, 3.8310002187098784e-40, 7.9152897080782611e-43,
    1.4962740468957015e-45, 2.5976979980828151e-48
};
COEFFICIENTS f64 I1_SERIES[] = {
    1.0, 0.5, 0.083333333333333333, 0.0069444444444444444, 0.00034722222222222222, 1.1574074074074074e-5,
    2.7557319223985891e-7, 4.9209498614260519e-9, 6.834652585313961e-11, 7.5940584281266233e-13,
    6.9036894801151121e-15, 5.230067787965994e-17, 3.3526075563884577e-19, 1.842092063949702e-21,
    8.7718669711890573e-24, 3.6549445713287739e-26, 1.3437296218120492e-28, 4.3912732738955857e-31,
    1.2839980333028028e-33, 3.3789421929021127e-36, 8.0451004592907446e-39, 1.7413637357772174e-41,
    3.4414303078601135e-44, 6.2344751953987564e-47, 1.0390791992331261e-49
};
COEFFICIENTS f64 I0_FAR[] = {
    0.40217650944500808, 0.0033605519836678864, 0.00013621607439233396, 1.1143033788352454e-5, 1.4838475432345008e-6,
    2.9735993830791434e-7, 8.8722694434369901e-8, 3.9324708328742366e-8, 2.1542697342456025e-8,
    7.5637720155460297e-9, -6.7090296562256367e-9, -1.3453822931523271e-8, -5.5733314216100117e-9,
    7.6976620190624854e-9, 7.9231780697978906e-9, -3.8209951230899502e-9, -6.9389962772098201e-9,
    1.9833590368786267e-9, 4.9905012775902331e-9, -1.0267340552488217e-9, -2.8718659938209181e-9,
    4.3888610449919051e-10, 1.2061857017231528e-9, -1.2429481430536811e-10, -3.210161204221311e-10,
    1.6645473602872717e-11, 4.0052277648630928e-11
};
COEFFICIENTS f64 I1_FAR[] = {
    0.38939845902587233, -0.0097495771932357595, -0.00021923576383430915, -1.503854719814553e-5,
    -1.8349101091858604e-6, -3.4838565069237384e-7, -1.0001340021780372e-7, -4.312811174972107e-8,
    -2.3368016560658256e-8, -8.4362904302345617e-9, 6.6942656124077843e-9, 1.4076395500755014e-8,
    6.1498523115768796e-9, -7.7785927639703994e-9, -8.4011021797383384e-9, 3.7219797447255016e-9,
    7.2682425635389676e-9, -1.8736450470066098e-9, -5.2022217601823897e-9, 9.5685236249052035e-10,
    2.9887350377570034e-9, -4.086984233473255e-10, -1.2547972491973786e-9, 1.161813630287145e-10,
    3.3398673556349823e-10, -1.5626599071977847e-11, -4.1681089783384255e-11
};
COEFFICIENTS f64 K0_SERIES[] = {
    0.0, 1.0, 0.375, 0.050925925925925926, 0.0036168981481481481, 0.00015856481481481481, 4.7260802469135802e-6,
    1.0207455998272325e-7, 1.6718048413148328e-9, 2.1483350211950277e-11, 2.2242756054762939e-13,
    1.8952995870061529e-15
};
COEFFICIENTS f64 K1_SERIES[] = {
    -0.15443132980306572, 0.67278433509846714, 0.18157516696085563, 0.019182189839330562, 0.0011153594919665281,
    4.1422476892711431e-5, 1.0715459140911809e-6, 2.0452860035938779e-8, 3.0020487465891879e-10,
    3.4959287296928819e-12, 3.3099147352502721e-14, 2.5986411321011287e-16
};
COEFFICIENTS f64 K0_1[] = {
    1.2438463520997633, -0.0091628504797960705, 0.00028766414406269997, -1.5900798828612881e-5,
    1.2325138408783408e-6, -1.2087144741702941e-7, 1.4153275749400232e-8, -1.9072122312077206e-9,
    2.8838220045740577e-10, -4.8064545587720392e-11, 8.7036363198880272e-12, -1.6620909983269423e-12,
    3.4188731099295588e-13, -9.5915422416045769e-14, 2.2985955824787802e-14
};
COEFFICIENTS f64 K0_2[] = {
    1.2110098987429047, -0.022229396684817703, 0.0015226342023098986, -0.00016611058835391407, 2.3471781405408216e-5,
    -3.9318535415961739e-6, 7.4459692234046003e-7, -1.5486222232604561e-7, 3.4701393382612441e-8,
    -8.265927703335337e-9, 2.0724574478592729e-9, -5.4242149460028223e-10, 1.4749479492742544e-10,
    -4.2120780856717888e-11, 1.2271907006631083e-11, -3.0666430191995038e-12, 8.9513406981764864e-13,
    -5.6974835586765644e-13, 1.8958311068299588e-13
};
COEFFICIENTS f64 K0_3[] = {
    1.1658263717940324, -0.022704234086460236, 0.0014668157923298242, -0.00014052046293809635, 1.6601827841703429e-5,
    -2.2425460712832775e-6, 3.3295090330105437e-7, -5.3074121433034624e-8, 8.9459054529896527e-9,
    -1.5777176520690415e-9, 2.8904893928948059e-10, -5.4659039088658616e-11, 1.0473548369982288e-11,
    -2.0777878304657445e-12, 5.1370500005206702e-13, -1.0829689109994437e-13
};
COEFFICIENTS f64 K1_1[] = {
    1.2821438724478937, 0.028311610653861246, -0.00049342894768096156, 2.2895152616827807e-5, -1.6287852513118174e-6,
    1.517586667162698e-7, -1.7173449273450442e-8, 2.258308362214317e-9, -3.3524546145219358e-10,
    5.5076792369925936e-11, -9.8587891284138436e-12, 1.8658703531407429e-12, -3.8081567968065217e-13,
    1.0579499949356134e-13, -2.520475763727125e-14
};
COEFFICIENTS f64 K1_2[] = {
    1.388652384648141, 0.075522142456388595, -0.0028477270626002236, 0.00025911160597900056, -3.3430574761669144e-5,
    5.2979329831276347e-6, -9.6614731747980558e-7, 1.9548481085570242e-7, -4.289023548022372e-8,
    1.0046941622993761e-8, -2.484827944653605e-9, 6.4301264595703442e-10, -1.7316870016744139e-10,
    4.9015030667580155e-11, -1.4175284338962639e-11, 3.5352175161301127e-12, -1.0268127170101423e-12,
    6.4437784564628597e-13, -2.1343985648644103e-13
};
COEFFICIENTS f64 K1_3[] = {
    1.551926734522259, 0.087054294541164669, -0.0030452818158118384, 0.00024061860103735921, -2.5745568033843167e-5,
    3.2692969264668156e-6, -4.6505272717048067e-7, 7.1817414204369439e-8, -1.1810780703823398e-8,
    2.0421841479343626e-9, -3.6808168566073553e-10, 6.8654912272812137e-11, -1.3008423623799706e-11,
    2.5546447090858298e-12, -6.2396957193843057e-13, 1.3050827998254048e-13
};
COEFFICIENTS f64 EULER = 0.5772156649015329;
COEFFICIENTS f64 TWO_OVER_PI = 0.6366197723675814;
COEFFICIENTS f64 ONE_OVER_PI = 0.3183098861837907;
}

namespace tables_of_bessel_jy {
COEFFICIENTS f64 TEMME_ODD[] = {
    -0.57132004225899037, 0.0065269233318663581, 0.00061736248204395566, -1.3883243452475953e-5,
    5.5556642373162415e-8, 5.8847676010620394e-10, -4.340604057908134e-12, -2.3553910276069107e-15,
    6.9865167787225419e-17
};
COEFFICIENTS f64 TEMME_EVEN[] = {
    0.92059833338784857, -0.076837924423115731, 0.002544119279202914, -1.9891793092047592e-5, -2.6500078635143889e-7,
    3.8771206331483625e-9, -5.4482184768482809e-12, -9.5639469217081611e-14, 3.0497562210380334e-16
};
COEFFICIENTS f64 TWO_OVER_PI = 0.6366197723675814;
}

namespace tables_of_bessel_ik {
COEFFICIENTS f64 TEMME_ODD[] = {
    -0.57132004225899037, 0.0065269233318663581, 0.00061736248204395566, -1.3883243452475953e-5,
    5.5556642373162415e-8, 5.8847676010620394e-10, -4.340604057908134e-12, -2.3553910276069107e-15,
    6.9865167787225419e-17
};
COEFFICIENTS f64 TEMME_EVEN[] = {
    0.92059833338784857, -0.076837924423115731, 0.002544119279202914, -1.9891793092047592e-5, -2.6500078635143889e-7,
    3.8771206331483625e-9, -5.4482184768482809e-12, -9.5639469217081611e-14, 3.0497562210380334e-16
};
COEFFICIENTS f64 TWO_OVER_PI = 0.6366197723675814;
COEFFICIENTS f64 LARGE = 1e5;
COEFFICIENTS f64 LOG_SCALE = 575.6462732485115;
}

namespace tables_of_airy {
COEFFICIENTS f64 ONE_OVER_PI = 0.3183098861837907;
}

inline f64 log_over(f64 x, f64 r, f64 r_low);
inline f64 j0_near(f64 x);
inline f64 j1_near(f64 x);
inline f64 j0(f64 x);
RARE f64 called_j0(f64 x);
inline f64 j1(f64 x);
RARE f64 called_j1(f64 x);
inline f64 y0(f64 x);
RARE f64 called_y0(f64 x);
inline f64 y1(f64 x);
RARE f64 called_y1(f64 x);
RARE f64 i0e(f64 x);
RARE f64 i1e(f64 x);
RARE f64 i1(f64 x);
RARE f64 k0_scaled(f64 x);
RARE f64 k1_scaled(f64 x);
inline f64 k0_near(f64 x);
inline f64 k1_near(f64 x);
RARE f64 k0(f64 x);
RARE f64 k0e(f64 x);
RARE f64 k1(f64 x);
RARE f64 k1e(f64 x);
RARE f64 power_over_gamma(f64 v, f64 x);
RARE f64 bessel_series(f64 v, f64 x, f64 sign);
RARE Pair hankel_sums(f64 v, f64 x);
RARE Pair hankel_jy(f64 v, f64 x);
RARE Pair bessel_jy(f64 v, f64 x);
RARE Quadruple steed_jy(f64 v, f64 x);
RARE f64 jv_positive(f64 v, f64 x);
RARE f64 yv_positive(f64 v, f64 x);
RARE f64 jv(f64 v, f64 x);
RARE f64 jv_right(f64 v, f64 x);
RARE f64 yv(f64 v, f64 x);
inline f64 jve(f64 v, f64 x);
inline f64 yve(f64 v, f64 x);
inline f64 yn(f64 n, f64 x);
RARE Quadruple bessel_ik(f64 v, f64 x);
RARE f64 ive_positive(f64 v, f64 x);
RARE f64 kve_positive(f64 v, f64 x);
RARE f64 ive(f64 v, f64 x);
RARE f64 ive_right(f64 v, f64 x);
RARE f64 iv(f64 v, f64 x);
RARE f64 kv(f64 v, f64 x);
RARE f64 kve(f64 v, f64 x);
inline f64 kn(f64 n, f64 x);
RARE Quadruple large_ik(f64 v, f64 x);
inline f64 large_i(f64 v, f64 x, f64 shift);
inline f64 large_k(f64 v, f64 x, f64 shift);
RARE f64 large_arc(f64 square, f64 sign);
RARE Pair large_jy(f64 v, f64 x);
RARE f64 spherical_jn(f64 n, f64 x);
RARE f64 spherical_jn_right(f64 n, f64 x);
RARE f64 spherical_yn(f64 n, f64 x);
RARE f64 spherical_yn_right(f64 n, f64 x);
RARE f64 spherical_in(f64 n, f64 x);
RARE f64 spherical_in_right(f64 n, f64 x);
RARE f64 spherical_kn(f64 n, f64 x);
RARE f64 spherical_kn_right(f64 n, f64 x);
RARE Quadruple airy_series(f64 x);
RARE Quadruple airy(f64 x);
RARE Quadruple airy_at(f64 x, f64 zeta);
inline f64 airy_ai(f64 x);
inline f64 airy_aip(f64 x);
inline f64 airy_bi(f64 x);
inline f64 airy_bip(f64 x);

// log(x / r) of an x from 1e-290 to 1e290, r being given in two parts.
inline f64 log_over(f64 x, f64 r, f64 r_low) {
    auto ratio = plain_quotient(x, r);
    return plain_log_rest(ratio, plain_quotient(fused(-ratio, r, x) - ratio * r_low, x));
}

// J0(x) for x from zero to 4.
inline f64 j0_near(f64 x) {
    auto near = (x - 2.404825557695773) - -1.176691651530894e-16;
    return near * (x + 2.404825557695773) * power_series(fused(0.125 * x, x, -1.0), tables_of_bessel::J0_1);
}

// J1(x) / x for x from zero to 4.
inline f64 j1_near(f64 x) {
    auto near = (x - 3.8317059702075125) - -1.5269184090088067e-16;
    return near * (x + 3.8317059702075125) * power_series(fused(0.125 * x, x, -1.0), tables_of_bessel::J1_1);
}

// The Bessel function of the first kind of order zero.
inline f64 j0(f64 x) {
    auto a = elementary::size(x);
    if (a < 4.0) {
        return j0_near(a);
    }
    if (a < 8.0) {
        return ((a - 5.520078110286311) - 8.088597146146722e-17) * power_series(fused(0.5, a, -3.0), tables_of_bessel::J0_2);
    }
    if (a == infinity<f64>()) {
        return 0.0;
    }
    auto s = cu_sin(a);
    auto c = cu_cos(a);
    auto inverse = 1.0 / a;
    auto t = fused(128.0 * inverse, inverse, -1.0);
    return elementary::root(tables_of_bessel::ONE_OVER_PI * inverse) * (power_series(t, tables_of_bessel::HANKEL_P0) * (c + s) - power_series(t, tables_of_bessel::HANKEL_Q0) * inverse * (s - c));
}
RARE f64 called_j0(f64 x) { return j0(x); }

// The Bessel function of the first kind of order one.
inline f64 j1(f64 x) {
    auto a = elementary::size(x);
    auto value = 0.0;
    if (a < 4.0) {
        return x * j1_near(a);
    }
    if (a < 8.0) {
        value = ((a - 7.015586669815619) - -9.414165653410389e-17) * power_series(fused(0.5, a, -3.0), tables_of_bessel::J1_2);
    } else if (a < infinity<f64>()) {
        auto s = cu_sin(a);
        auto c = cu_cos(a);
        auto inverse = 1.0 / a;
        auto t = fused(128.0 * inverse, inverse, -1.0);
        value = elementary::root(tables_of_bessel::ONE_OVER_PI * inverse) * (power_series(t, tables_of_bessel::HANKEL_P1) * (s - c) + power_series(t, tables_of_bessel::HANKEL_Q1) * inverse * (s + c));
    }
    return (x < 0.0 ? -value : (is_nan(x) ? x : value));
}
RARE f64 called_j1(f64 x) { return j1(x); }

// The Bessel function of the second kind of order zero.
inline f64 y0(f64 x) {
    if (!(x > 0.0)) {
        return (x == 0.0 ? -infinity<f64>() : not_a_number<f64>());
    }
    if (x < 2.0) {
        if (x < 1e-290) {
            return tables_of_bessel::TWO_OVER_PI * (cu_log(x) - 0.11593151565841245);
        }
        auto near = (x - 0.8935769662791675) - 2.659623153972038e-17;
        auto logarithm = log_over(x, 0.8935769662791675, 2.659623153972038e-17);
        return fused(near * (x + 0.8935769662791675), power_series(fused(0.5 * x, x, -1.0), tables_of_bessel::Y0_1), tables_of_bessel::TWO_OVER_PI * logarithm * j0_near(x));
    }
    if (x < 5.0) {
        return ((x - 3.957678419314858) - -1.0764340697562706e-16) * power_series((x - 3.5) * 0.6666666666666666, tables_of_bessel::Y0_2);
    }
    if (x < 8.0) {
        return ((x - 7.086051060301773) - -8.835285723085408e-17) * power_series((x - 6.5) * 0.6666666666666666, tables_of_bessel::Y0_3);
    }
    if (x == infinity<f64>()) {
        return 0.0;
    }
    auto s = cu_sin(x);
    auto c = cu_cos(x);
    auto inverse = 1.0 / x;
    auto t = fused(128.0 * inverse, inverse, -1.0);
    return elementary::root(tables_of_bessel::ONE_OVER_PI * inverse) * (power_series(t, tables_of_bessel::HANKEL_P0) * (s - c) + power_series(t, tables_of_bessel::HANKEL_Q0) * inverse * (s + c));
}
RARE f64 called_y0(f64 x) { return y0(x); }

// The Bessel function of the second kind of order one.
inline f64 y1(f64 x) {
    if (!(x > 0.0)) {
        return (x == 0.0 ? -infinity<f64>() : not_a_number<f64>());
    }
    if (x < 3.0) {
        if (x < 1e-290) {
            return -tables_of_bessel::TWO_OVER_PI / x;
        }
        auto near = (x - 2.197141326031017) - -4.825983587645496e-17;
        auto logarithm = log_over(x, 2.197141326031017, -4.825983587645496e-17);
        auto rest = near * (x + 2.197141326031017) * power_series(fused(x * 0.2222222222222222, x, -1.0), tables_of_bessel::Y1_1) / x;
        return fused(tables_of_bessel::TWO_OVER_PI * logarithm, x * j1_near(x), rest);
    }
    if (x < 8.0) {
        return ((x - 5.429681040794135) - 4.162514026670377e-16) * power_series((x - 5.5) * 0.4, tables_of_bessel::Y1_2);
    }
    if (x == infinity<f64>()) {
        return 0.0;
    }
    auto s = cu_sin(x);
    auto c = cu_cos(x);
    auto inverse = 1.0 / x;
    auto t = fused(128.0 * inverse, inverse, -1.0);
    return elementary::root(tables_of_bessel::ONE_OVER_PI * inverse) * (power_series(t, tables_of_bessel::HANKEL_Q1) * inverse * (s - c) - power_series(t, tables_of_bessel::HANKEL_P1) * (s + c));
}
RARE f64 called_y1(f64 x) { return y1(x); }

// exp(-|x|) I0(x).
RARE f64 i0e(f64 x) {
    auto a = elementary::size(x);
    if (a <= 8.0) {
        return plain_exp(-a) * horner(0.25 * a * a, tables_of_bessel::I0_SERIES);
    }
    auto inverse = 1.0 / a;
    return power_series(fused(16.0, inverse, -1.0), tables_of_bessel::I0_FAR) * elementary::root(inverse);
}

// exp(-|x|) I1(x).
RARE f64 i1e(f64 x) {
    auto a = elementary::size(x);
    if (a <= 8.0) {
        return 0.5 * x * plain_exp(-a) * horner(0.25 * a * a, tables_of_bessel::I1_SERIES);
    }
    auto inverse = 1.0 / a;
    return with_sign(power_series(fused(16.0, inverse, -1.0), tables_of_bessel::I1_FAR) * elementary::root(inverse), x);
}

// The modified Bessel function of the first kind of order one.
RARE f64 i1(f64 x) {
    auto a = elementary::size(x);
    if (a <= 8.0) {
        return 0.5 * x * horner(0.25 * a * a, tables_of_bessel::I1_SERIES);
    }
    auto half = called_exp(0.5 * a);
    return (a == infinity<f64>() ? x : with_sign(half * (power_series(16.0 / a - 1.0, tables_of_bessel::I1_FAR) / elementary::root(a)) * half, x));
}

// sqrt(x) exp(x) K0(x) for x above one.
RARE f64 k0_scaled(f64 x) {
    auto w = 1.0 / x;
    if (w < 0.125) {
        return horner(16.0 * w - 1.0, tables_of_bessel::K0_1);
    }
    if (w < 0.5) {
        return horner((w - 0.3125) * 5.333333333333333, tables_of_bessel::K0_2);
    }
    return horner(4.0 * w - 3.0, tables_of_bessel::K0_3);
}

// sqrt(x) exp(x) K1(x) for x above one.
RARE f64 k1_scaled(f64 x) {
    auto w = 1.0 / x;
    if (w < 0.125) {
        return horner(16.0 * w - 1.0, tables_of_bessel::K1_1);
    }
    if (w < 0.5) {
        return horner((w - 0.3125) * 5.333333333333333, tables_of_bessel::K1_2);
    }
    return horner(4.0 * w - 3.0, tables_of_bessel::K1_3);
}

// K0(x) for x up to one.
inline f64 k0_near(f64 x) {
    auto z = 0.25 * x * x;
    return fused(-(called_log(0.5 * x) + tables_of_bessel::EULER), horner(z, tables_of_bessel::I0_SERIES), power_series(z, tables_of_bessel::K0_SERIES));
}

// K1(x) for x up to one.
inline f64 k1_near(f64 x) {
    auto z = 0.25 * x * x;
    return fused(called_log(0.5 * x), 0.5 * x * horner(z, tables_of_bessel::I1_SERIES), 1.0 / x - 0.25 * x * power_series(z, tables_of_bessel::K1_SERIES));
}

// The modified Bessel function of the second kind of order zero.
RARE f64 k0(f64 x) {
    if (!(x > 0.0)) {
        return (x == 0.0 ? infinity<f64>() : not_a_number<f64>());
    }
    return (x <= 1.0 ? k0_near(x) : called_exp(-x) * k0_scaled(x) / elementary::root(x));
}

// exp(x) K0(x).
RARE f64 k0e(f64 x) {
    if (!(x > 0.0)) {
        return (x == 0.0 ? infinity<f64>() : not_a_number<f64>());
    }
    return (x <= 1.0 ? called_exp(x) * k0_near(x) : k0_scaled(x) / elementary::root(x));
}

// The modified Bessel function of the second kind of order one.
RARE f64 k1(f64 x) {
    if (!(x > 0.0)) {
        return (x == 0.0 ? infinity<f64>() : not_a_number<f64>());
    }
    return (x <= 1.0 ? k1_near(x) : called_exp(-x) * k1_scaled(x) / elementary::root(x));
}

// exp(x) K1(x).
RARE f64 k1e(f64 x) {
    if (!(x > 0.0)) {
        return (x == 0.0 ? infinity<f64>() : not_a_number<f64>());
    }
    return (x <= 1.0 ? called_exp(x) * k1_near(x) : k1_scaled(x) / elementary::root(x));
}

// (x/2)^v / gamma(v + 1), times exp(-x/2) where v is large.
RARE f64 power_over_gamma(f64 v, f64 x) {
    if (v < 100.0) {
        return called_pow(0.5 * x, v) * rgamma(v + 1.0);
    }
    return gamma_density(v, 0.5 * x);
}

// The sum of (sign x^2/4)^k / (k! (v + 1) ... (v + k)).
RARE f64 bessel_series(f64 v, f64 x, f64 sign) {
    auto z = sign * 0.25 * x * x;
    auto term = 1.0;
    auto sum = 1.0;
    auto k = 1.0;
    while (k < 500.0) {
        term *= z / (k * (v + k));
        sum += term;
        if (elementary::size(term) < 1e-17 * elementary::size(sum)) {
            break;
        }
        k += 1.0;
    }
    return sum;
}

// Hankel's P and Q of order v, for x large beside v^2.
RARE Pair hankel_sums(f64 v, f64 x) {
    auto mu = 4.0 * v * v;
    auto term = 1.0;
    auto p = 1.0;
    auto q = 0.0;
    auto k = 1.0;
    auto sign = 1.0;
    while (k < 200.0) {
        auto odd = 2.0 * k - 1.0;
        auto factor = (mu - odd * odd) / (8.0 * k * x);
        auto next = term * factor;
        if (elementary::size(next) > elementary::size(term) && odd > 2.0 * v) {
            break;
        }
        term = next;
        if (floor_of(0.5 * k) * 2.0 == k) {
            sign = -sign;
            p += sign * term;
        } else {
            q += sign * term;
        }
        if (elementary::size(term) < 1e-17) {
            break;
        }
        k += 1.0;
    }
    return {p, q};
}

// J and Y by Hankel's expansion.
RARE Pair hankel_jy(f64 v, f64 x) {
    auto [p, q] = hankel_sums(v, x);
    // cos and sin of x - (v/2 + 1/4) pi.
    auto turn = 0.5 * v + 0.25;
    auto cs = cospi(turn);
    auto sn = sinpi(turn);
    auto c = called_cos(x);
    auto s = called_sin(x);
    auto cosine = c * cs + s * sn;
    auto sine = s * cs - c * sn;
    auto scale = elementary::root(tables_of_bessel_jy::TWO_OVER_PI / x);
    return {scale * (p * cosine - q * sine), scale * (p * sine + q * cosine)};
}

// J and Y of order v from zero on at x above zero: by Hankel's expansion where x is large, from orders below two upwards
// where x is larger than v, else by Temme's series and Steed's fractions.
RARE Pair bessel_jy(f64 v, f64 x) {
    if (x > 25.0 && x > 0.5 * v * v) {
        return hankel_jy(v, x);
    }
    if (v + x > 4e5) {
        return large_jy(v, x);
    }
    if (x < 2.0 || v >= x || (v < 1.0 && x < 20.0)) {
        auto [j, _j_next, y, _y_next] = steed_jy(v, x);
        return {j, y};
    }
    auto mu = v - floor_of(v);
    auto j = 0.0;
    auto j_next = 0.0;
    auto y = 0.0;
    auto y_next = 0.0;
    if (mu == 0.0) {
        j = called_j0(x);
        j_next = called_j1(x);
        y = called_y0(x);
        y_next = called_y1(x);
    } else if (x < 20.0) {
        auto [first, second, third, fourth] = steed_jy(mu, x);
        j = first;
        j_next = second;
        y = third;
        y_next = fourth;
    } else {
        auto [first, third] = hankel_jy(mu, x);
        auto [second, fourth] = hankel_jy(mu + 1.0, x);
        j = first;
        j_next = second;
        y = third;
        y_next = fourth;
    }
    auto order = mu;
    while (order < v - 0.5) {
        order += 1.0;
        auto factor = 2.0 * order / x;
        auto j_after = factor * j_next - j;
        auto y_after = factor * y_next - y;
        j = j_next;
        j_next = j_after;
        y = y_next;
        y_next = y_after;
    }
    return {j, y};
}

// J and Y of orders v and v + 1, by Temme's series or Steed's fractions.
RARE Quadruple steed_jy(f64 v, f64 x) {
    auto down = (x < 2.0 ? floor_of(v + 0.5) : (v - x + 1.5 > 0.0 ? floor_of(v - x + 1.5) : 0.0));
    auto mu = v - down;
    auto w = tables_of_bessel_jy::TWO_OVER_PI / x;
    // J'/J of order v by its continued fraction, with the sign of J.
    auto two_over_x = 2.0 / x;
    auto sign = 1.0;
    auto h = v / x;
    h = (elementary::size(h) < 1e-300 ? 1e-300 : h);
    auto b = two_over_x * v;
    auto d = 0.0;
    auto c = h;
    auto i = 0;
    while (i < 4000000) {
        b += two_over_x;
        d = b - d;
        d = (elementary::size(d) < 1e-300 ? 1e-300 : d);
        c = b - 1.0 / c;
        c = (elementary::size(c) < 1e-300 ? 1e-300 : c);
        d = 1.0 / d;
        auto step = c * d;
        h *= step;
        if (d < 0.0) {
            sign = -sign;
        }
        if (elementary::size(step - 1.0) < 1e-16) {
            break;
        }
        i += 1;
    }
    auto jl = sign * 1e-280;
    auto jpl = h * jl;
    auto first = jl;
    auto ratio = v / x;
    auto l = down;
    while (l >= 1.0) {
        auto next = ratio * jl + jpl;
        ratio -= 1.0 / x;
        jpl = ratio * next - jl;
        jl = next;
        if (elementary::size(jl) > 1e150) {
            jl *= 1e-300;
            jpl *= 1e-300;
            first *= 1e-300;
        }
        l -= 1.0;
    }
    jl = (jl == 0.0 ? 1e-300 : jl);
    auto f = jpl / jl;
    auto jmu = 0.0;
    auto ymu = 0.0;
    auto ynext = 0.0;
    if (x < 2.0) {
        auto half = 0.5 * x;
        auto angle = 3.141592653589793 * mu;
        auto fact = (elementary::size(angle) < 1e-15 ? 1.0 : angle / called_sin(angle));
        auto dl = -called_log(half);
        auto e = mu * dl;
        auto fact2 = (elementary::size(e) < 1e-15 ? 1.0 : called_sinh(e) / e);
        auto place = 8.0 * mu * mu - 1.0;
        auto odd = power_series(place, tables_of_bessel_jy::TEMME_ODD);
        auto even = power_series(place, tables_of_bessel_jy::TEMME_EVEN);
        auto plus = even - mu * odd;
        auto minus = even + mu * odd;
        auto ff = tables_of_bessel_jy::TWO_OVER_PI * fact * (odd * called_cosh(e) + even * fact2 * dl);
        auto grown = called_exp(e);
        auto p = grown / (plus * 3.141592653589793);
        auto q = 1.0 / (grown * 3.141592653589793 * minus);
        auto half_angle = 0.5 * angle;
        auto fact3 = (elementary::size(half_angle) < 1e-15 ? 1.0 : called_sin(half_angle) / half_angle);
        auto r = 3.141592653589793 * half_angle * fact3 * fact3;
        auto dd = -half * half;
        auto cc = 1.0;
        auto sum = ff + r * q;
        auto sum1 = p;
        auto k = 1.0;
        while (k < 500.0) {
            ff = (k * ff + p + q) / (k * k - mu * mu);
            cc *= dd / k;
            p /= k - mu;
            q /= k + mu;
            auto part = cc * (ff + r * q);
            sum += part;
            sum1 += cc * p - k * part;
            if (elementary::size(part) < (1.0 + elementary::size(sum)) * 1e-17) {
                break;
            }
            k += 1.0;
        }
        ymu = -sum;
        ynext = -sum1 * two_over_x;
        auto slope = mu / x * ymu - ynext;
        jmu = w / (slope - f * ymu);
    } else {
        // p + i q by the second fraction, in complex arithmetic.
        auto a = 0.25 - mu * mu;
        auto p = -0.5 / x;
        auto q = 1.0;
        auto br = 2.0 * x;
        auto bi = 2.0;
        auto fact = a / x / (p * p + q * q);
        auto cr = br + q * fact;
        auto ci = bi + p * fact;
        auto den = br * br + bi * bi;
        auto dr = br / den;
        auto di = -bi / den;
        auto dlr = cr * dr - ci * di;
        auto dli = cr * di + ci * dr;
        auto temp = p * dlr - q * dli;
        q = p * dli + q * dlr;
        p = temp;
        auto k = 2.0;
        while (k < 100000.0) {
            a += 2.0 * (k - 1.0);
            bi += 2.0;
            dr = a * dr + br;
            di = a * di + bi;
            if (elementary::size(dr) + elementary::size(di) < 1e-300) {
                dr = 1e-300;
            }
            fact = a / (cr * cr + ci * ci);
            cr = br + cr * fact;
            ci = bi - ci * fact;
            if (elementary::size(cr) + elementary::size(ci) < 1e-300) {
                cr = 1e-300;
            }
            den = dr * dr + di * di;
            dr /= den;
            di = -di / den;
            dlr = cr * dr - ci * di;
            dli = cr * di + ci * dr;
            temp = p * dlr - q * dli;
            q = p * dli + q * dlr;
            p = temp;
            if (elementary::size(dlr - 1.0) + elementary::size(dli) < 1e-16) {
                break;
            }
            k += 1.0;
        }
        auto gam = (p - f) / q;
        jmu = elementary::root(w / ((p - f) * gam + q));
        jmu = (jl < 0.0 ? -jmu : jmu);
        ymu = jmu * gam;
        auto slope = ymu * (p + q / gam);
        ynext = mu / x * ymu - slope;
        if (gam == 0.0) {
            ynext = -jmu * q;
        }
    }
    auto j = first * (jmu / jl);
    auto order = mu;
    auto n = 0.0;
    while (n < down) {
        order += 1.0;
        auto next = order * two_over_x * ynext - ymu;
        ymu = ynext;
        ynext = next;
        if (elementary::size(ynext) == infinity<f64>()) {
            ymu = (n + 1.0 < down ? ynext : ymu);
            break;
        }
        n += 1.0;
    }
    return {j, j * (v / x - h), ymu, ynext};
}

// J of order v from zero on at x above zero.
RARE f64 jv_positive(f64 v, f64 x) {
    if (v == 0.0) {
        return called_j0(x);
    }
    if (v == 1.0) {
        return called_j1(x);
    }
    if (0.25 * x * x < v + 1.0) {
        if (v > 2000.0) {
            return 0.0;
        }
        auto value = power_over_gamma(v, x) * bessel_series(v, x, -1.0);
        return (v < 100.0 ? value : value * called_exp(0.5 * x));
    }
    auto [j, _y] = bessel_jy(v, x);
    return j;
}

// Y of order v from zero on at x above zero.
RARE f64 yv_positive(f64 v, f64 x) {
    if (v == 0.0) {
        return called_y0(x);
    }
    if (v == 1.0) {
        return called_y1(x);
    }
    auto [_j, y] = bessel_jy(v, x);
    return y;
}

// The Bessel function of the first kind of real order.
RARE f64 jv(f64 v, f64 x) {
    if (is_nan(v) || is_nan(x) || elementary::size(v) == infinity<f64>()) {
        return not_a_number<f64>();
    }
    auto whole = floor_of(v) == v;
    if (x < 0.0) {
        if (!whole) {
            return not_a_number<f64>();
        }
        auto value = jv_right(v, -x);
        return (2.0 * floor_of(0.5 * v) == v ? value : -value);
    }
    return jv_right(v, x);
}

// The same at x from zero on.
RARE f64 jv_right(f64 v, f64 x) {
    auto whole = floor_of(v) == v;
    if (x == infinity<f64>()) {
        return 0.0;
    }
    if (x == 0.0) {
        if (v == 0.0) {
            return 1.0;
        }
        if (v > 0.0 || whole) {
            return (v < 0.0 && 2.0 * floor_of(0.5 * v) != v ? -0.0 : 0.0);
        }
        return infinity<f64>() * gammasgn(v + 1.0);
    }
    if (v >= 0.0) {
        return jv_positive(v, x);
    }
    if (whole) {
        auto value = jv_positive(-v, x);
        return (2.0 * floor_of(0.5 * v) == v ? value : -value);
    }
    if (0.25 * x * x < 0.1 && v > -50.0) {
        return called_pow(0.5 * x, v) * rgamma(v + 1.0) * bessel_series(v, x, -1.0);
    }
    return cospi(v) * jv_positive(-v, x) + sinpi(v) * yv_positive(-v, x);
}

// The Bessel function of the second kind of real order.
RARE f64 yv(f64 v, f64 x) {
    if (is_nan(v) || is_nan(x) || elementary::size(v) == infinity<f64>() || x < 0.0) {
        return not_a_number<f64>();
    }
    if (x == 0.0) {
        if (v >= 0.0 || 2.0 * floor_of(0.5 * v) == v) {
            return -infinity<f64>();
        }
        if (floor_of(v) == v) {
            return infinity<f64>();
        }
        return (floor_of(v + 0.5) == v + 0.5 ? 0.0 : -infinity<f64>() * with_sign(1.0, cospi(v)));
    }
    if (x == infinity<f64>()) {
        return 0.0;
    }
    if (v >= 0.0) {
        return yv_positive(v, x);
    }
    if (floor_of(v) == v) {
        auto value = yv_positive(-v, x);
        return (2.0 * floor_of(0.5 * v) == v ? value : -value);
    }
    auto c = cospi(v);
    auto j = jv_positive(-v, x);
    return (c == 0.0 ? -sinpi(v) * j : c * yv_positive(-v, x) - sinpi(v) * j);
}

// The same, which has no factor at real arguments.
inline f64 jve(f64 v, f64 x) {
    return jv(v, x);
}

// The same of the second kind.
inline f64 yve(f64 v, f64 x) {
    return yv(v, x);
}

// The Bessel function of the second kind of whole order.
inline f64 yn(f64 n, f64 x) {
    return yv(truncate(n), x);
}

// exp(-x) I and exp(x) K of order v from zero on at x above zero, I times and K divided by 1e250 so often as the
// third says; the fourth is the next K in the same measure.
RARE Quadruple bessel_ik(f64 v, f64 x) {
    auto down = floor_of(v + 0.5);
    auto mu = v - down;
    auto two_over_x = 2.0 / x;
    auto kmu = 0.0;
    auto knext = 0.0;
    if (x < 2.0) {
        auto half = 0.5 * x;
        auto angle = 3.141592653589793 * mu;
        auto fact = (elementary::size(angle) < 1e-15 ? 1.0 : angle / called_sin(angle));
        auto dl = -called_log(half);
        auto e = mu * dl;
        auto fact2 = (elementary::size(e) < 1e-15 ? 1.0 : called_sinh(e) / e);
        auto place = 8.0 * mu * mu - 1.0;
        auto odd = power_series(place, tables_of_bessel_ik::TEMME_ODD);
        auto even = power_series(place, tables_of_bessel_ik::TEMME_EVEN);
        auto plus = even - mu * odd;
        auto minus = even + mu * odd;
        auto ff = fact * (odd * called_cosh(e) + even * fact2 * dl);
        auto grown = called_exp(e);
        auto p = 0.5 * grown / plus;
        auto q = 0.5 / (grown * minus);
        auto c = 1.0;
        auto d = half * half;
        auto sum = ff;
        auto sum1 = p;
        auto k = 1.0;
        while (k < 500.0) {
            ff = (k * ff + p + q) / (k * k - mu * mu);
            c *= d / k;
            p /= k - mu;
            q /= k + mu;
            auto part = c * ff;
            sum += part;
            sum1 += c * (p - k * ff);
            if (elementary::size(part) < elementary::size(sum) * 1e-17) {
                break;
            }
            k += 1.0;
        }
        auto scale = called_exp(x);
        kmu = sum * scale;
        knext = sum1 * two_over_x * scale;
    } else {
        // Steed's fraction for K, which gives the normalisation with it.
        auto b = 2.0 * (1.0 + x);
        auto d = 1.0 / b;
        auto h = d;
        auto delta = d;
        auto q1 = 0.0;
        auto q2 = 1.0;
        auto a1 = 0.25 - mu * mu;
        auto q = a1;
        auto c = a1;
        auto a = -a1;
        auto s = 1.0 + q * delta;
        auto k = 2.0;
        while (k < 100000.0) {
            a -= 2.0 * (k - 1.0);
            c = -a * c / k;
            auto next = (q1 - b * q2) / a;
            q1 = q2;
            q2 = next;
            q += c * next;
            b += 2.0;
            d = 1.0 / (b + a * d);
            delta = (b * d - 1.0) * delta;
            h += delta;
            auto part = q * delta;
            s += part;
            if (elementary::size(part / s) < 1e-17) {
                break;
            }
            k += 1.0;
        }
        h = a1 * h;
        kmu = elementary::root(1.5707963267948966 / x) / s;
        knext = kmu * (mu + x + 0.5 - h) / x;
    }
    auto order = mu;
    auto n = 0.0;
    auto scaled = 0.0;
    while (n < down) {
        order += 1.0;
        auto next = order * two_over_x * knext + kmu;
        kmu = knext;
        knext = next;
        if (knext == infinity<f64>()) {
            kmu = (n + 1.0 < down ? knext : kmu);
            break;
        }
        if (knext > 1e250) {
            kmu *= 1e-250;
            knext *= 1e-250;
            scaled += 1.0;
        }
        n += 1.0;
    }
    // I'/I by its fraction; the Wronskian gives I: 1/x = I_v K_(v+1) + I_(v+1) K_v.
    auto i = 0.0;
    if (knext < infinity<f64>()) {
        auto b = two_over_x * (v + 1.0);
        auto d = 1.0 / b;
        auto ratio = d;
        auto step = d;
        auto k = 0;
        while (k < 4000000) {
            b += two_over_x;
            d = 1.0 / (b + d);
            step = (b * d - 1.0) * step;
            ratio += step;
            if (elementary::size(step) < elementary::size(ratio) * 1e-17) {
                break;
            }
            k += 1;
        }
        i = 1.0 / (x * (knext + ratio * kmu));
    }
    return {i, kmu, scaled, knext};
}

// exp(-x) I of order v from zero on at x above zero.
RARE f64 ive_positive(f64 v, f64 x) {
    if (v == 0.0) {
        return i0e(x);
    }
    if (v == 1.0) {
        return i1e(x);
    }
    if (x < 12.0 || 0.25 * x * x < 10.0 * (v + 1.0)) {
        if (v > 2000.0) {
            return 0.0;
        }
        auto value = power_over_gamma(v, x) * bessel_series(v, x, 1.0);
        return value * called_exp((v < 100.0 ? -x : -0.5 * x));
    }
    if (x > 30.0 && x > v * v) {
        auto mu = 4.0 * v * v;
        auto term = 1.0;
        auto sum = 1.0;
        auto k = 1.0;
        while (k < 200.0) {
            auto odd = 2.0 * k - 1.0;
            auto next = -term * (mu - odd * odd) / (8.0 * k * x);
            if (elementary::size(next) > elementary::size(term)) {
                break;
            }
            term = next;
            sum += term;
            if (elementary::size(term) < 1e-17 * elementary::size(sum)) {
                break;
            }
            k += 1.0;
        }
        return sum * 0.3989422804014327 / elementary::root(x);
    }
    if (v + x > tables_of_bessel_ik::LARGE) {
        return large_i(v, x, 0.0);
    }
    auto [value, _k, times, _next] = bessel_ik(v, x);
    auto i = value;
    auto scaled = times;
    while (scaled > 0.0 && i > 0.0) {
        i *= 1e-250;
        scaled -= 1.0;
    }
    return i;
}

// exp(x) K of order v from zero on at x above zero.
RARE f64 kve_positive(f64 v, f64 x) {
    if (v == 0.0) {
        return k0e(x);
    }
    if (v == 1.0) {
        return k1e(x);
    }
    if (v + x > tables_of_bessel_ik::LARGE) {
        return large_k(v, x, 0.0);
    }
    auto [_i, value, times, _next] = bessel_ik(v, x);
    auto k = value;
    auto scaled = times;
    while (scaled > 0.0 && k < infinity<f64>()) {
        k *= 1e250;
        scaled -= 1.0;
    }
    return k;
}

// exp(-|x|) I of real order.
RARE f64 ive(f64 v, f64 x) {
    if (is_nan(v) || is_nan(x) || elementary::size(v) == infinity<f64>()) {
        return not_a_number<f64>();
    }
    auto whole = floor_of(v) == v;
    if (x < 0.0) {
        if (!whole) {
            return not_a_number<f64>();
        }
        auto value = ive_right(v, -x);
        return (2.0 * floor_of(0.5 * v) == v ? value : -value);
    }
    return ive_right(v, x);
}

// The same at x from zero on.
RARE f64 ive_right(f64 v, f64 x) {
    auto whole = floor_of(v) == v;
    if (x == 0.0) {
        if (v == 0.0) {
            return 1.0;
        }
        return (v > 0.0 || whole ? 0.0 : infinity<f64>() * gammasgn(v + 1.0));
    }
    if (x == infinity<f64>()) {
        return 0.0;
    }
    if (v >= 0.0 || whole) {
        return ive_positive(elementary::size(v), x);
    }
    auto scale = -tables_of_bessel_ik::TWO_OVER_PI * sinpi(v);
    return ive_positive(-v, x) + scale * kve_positive(-v, x) * called_exp(-2.0 * x);
}

// The modified Bessel function of the first kind of real order.
RARE f64 iv(f64 v, f64 x) {
    if (elementary::size(x) == infinity<f64>()) {
        return (x > 0.0 || floor_of(v) != v || 2.0 * floor_of(0.5 * v) == v ? elementary::size(x) : x);
    }
    if (x == 0.0) {
        return ive(v, x);
    }
    auto a = elementary::size(x);
    auto order = elementary::size(v);
    auto whole = floor_of(v) == v;
    if (order > 100.0 && 0.25 * a * a >= 10.0 * (order + 1.0) && a <= order * order && (whole || (v > 0.0 && x > 0.0))) {
        // The scaled function may be too small for a double where this one is not.
        if (order + a > tables_of_bessel_ik::LARGE) {
            auto value = large_i(order, a, a);
            return (x > 0.0 || 2.0 * floor_of(0.5 * v) == v ? value : -value);
        }
        auto [i, _k, scaled, _next] = bessel_ik(order, a);
        auto root = called_exp(0.5 * (a - scaled * tables_of_bessel_ik::LOG_SCALE));
        auto large = i * root * root;
        return (x > 0.0 || 2.0 * floor_of(0.5 * v) == v ? large : -large);
    }
    auto value = ive(v, x);
    if (value == 0.0 && order > 2000.0) {
        // There the argument is small beside the order.
        return value;
    }
    auto half = called_exp(0.5 * a);
    if (value == 0.0 && elementary::size(x) < 700.0) {
        return power_over_gamma(elementary::size(v), elementary::size(x));
    }
    return value * half * half;
}

// The modified Bessel function of the second kind of real order.
RARE f64 kv(f64 v, f64 x) {
    if (is_nan(v) || is_nan(x) || x < 0.0) {
        return not_a_number<f64>();
    }
    if (x == 0.0) {
        return infinity<f64>();
    }
    if (x == infinity<f64>()) {
        return 0.0;
    }
    if (v == 0.0) {
        return k0(x);
    }
    if ((x < 700.0 && elementary::size(v) < 100.0) || x > v * v) {
        return kve_positive(elementary::size(v), x) * called_exp(-x);
    }
    // The scaled function may be too large for a double where this one is not.
    if (elementary::size(v) + x > tables_of_bessel_ik::LARGE) {
        return large_k(elementary::size(v), x, x);
    }
    auto [_i, k, scaled, _next] = bessel_ik(elementary::size(v), x);
    auto root = called_exp(0.5 * (scaled * tables_of_bessel_ik::LOG_SCALE - x));
    return k * root * root;
}

// exp(x) K of real order.
RARE f64 kve(f64 v, f64 x) {
    if (is_nan(v) || is_nan(x) || x < 0.0) {
        return not_a_number<f64>();
    }
    if (x == 0.0) {
        return infinity<f64>();
    }
    return (x == infinity<f64>() ? 0.0 : kve_positive(elementary::size(v), x));
}

// The modified Bessel function of the second kind of whole order.
inline f64 kn(f64 n, f64 x) {
    return kv(truncate(n), x);
}

// The logarithms of exp(-x) I and exp(x) K of order v, without the sums, and the sums; v + x is large.
RARE Quadruple large_ik(f64 v, f64 x) {
    auto h = called_hypot(v, x);
    auto exponent = v * (v / (h + x) - called_asinh(v / x));
    // U_k(p) / v^k with p = v / h.
    auto p = v / h;
    auto t = p * p;
    auto first = (3.0 - 5.0 * t) / (24.0 * h);
    auto second = (81.0 + t * (-462.0 + 385.0 * t)) / (1152.0 * h * h);
    auto third = (30375.0 + t * (-369603.0 + t * (765765.0 - 425425.0 * t))) / (414720.0 * h * h * h);
    return {exponent, 1.0 / elementary::root(h), 1.0 + (first + (second + third)), 1.0 - (first - (second - third))};
}

// exp(shift) exp(-x) I.
inline f64 large_i(f64 v, f64 x, f64 shift) {
    auto [exponent, scale, sum, _other] = large_ik(v, x);
    auto half = called_exp(0.5 * (exponent + shift));
    return 0.3989422804014327 * scale * sum * half * half;
}

// exp(-shift) exp(x) K.
inline f64 large_k(f64 v, f64 x, f64 shift) {
    auto [exponent, scale, _sum, other] = large_ik(v, x);
    auto half = called_exp(-0.5 * (exponent + shift));
    return 1.2533141373155003 * scale * other * half * half;
}

// (atanh(s) - s) / s^3 of a square s^2 from zero on, or with a negative sign (s - atan(s)) / s^3.
RARE f64 large_arc(f64 square, f64 sign) {
    auto s = elementary::root(square);
    if (square > 0.1) {
        auto value = (sign > 0.0 ? 0.5 * called_log1p(2.0 * s / (1.0 - s)) - s : s - called_atan(s));
        return value / (s * square);
    }
    auto sum = 0.0;
    for (int k = 16 - 1; k >= 0; --k) {
        sum = 1.0 / (2.0 * (f64)k + 3.0) + sign * square * sum;
    }
    return sum;
}

// J and Y of a large order v at x above zero.
RARE Pair large_jy(f64 v, f64 x) {
    auto sign = (x < v ? 1.0 : -1.0);
    auto s = elementary::root(elementary::size(v - x) / v * ((v + x) / v));
    auto square = s * s;
    auto arc = large_arc(square, sign);
    if (sign > 0.0 && square > 0.1) {
        // The logarithm by the ratio itself: one less s is too small to tell.
        arc = (called_log((1.0 + s) / (x / v)) - s) / (s * square);
    }
    auto place = v * (s * square * arc);
    if (sign > 0.0 && !(place < 760.0)) {
        return {0.0, -infinity<f64>()};
    }
    auto shape = called_pow(1.5 * arc, 0.6666666666666666);
    auto zeta = square * shape;
    // The first coefficient of the derivative's series.
    auto at = sign * zeta;
    auto b = 0.017998872141355322 + at * (0.008888888888888868 + at * (0.0016256871626954981 + at * (-0.0003642848651949809 - 0.0003020604533414716 * at)));
    if (zeta > 0.05) {
        b = (0.20833333333333334 / (s * square) - sign * 0.125 / s) / elementary::root(zeta) - 0.10416666666666667 / (zeta * zeta);
    }
    auto cube = called_pow(v, 0.3333333333333333);
    auto amplitude = elementary::root(elementary::root(4.0 * shape));
    auto [ai, aip, bi, bip] = airy_at(sign * cube * cube * zeta, place);
    auto low = b / (cube * v);
    auto j = amplitude / cube * (ai + aip * low);
    auto y = -amplitude / cube * (bi + bip * low);
    return {j, y};
}

// The spherical Bessel function of the first kind.
RARE f64 spherical_jn(f64 n, f64 x) {
    if (is_nan(x) || n < 0.0) {
        return not_a_number<f64>();
    }
    auto value = spherical_jn_right(n, elementary::size(x));
    auto even = 2.0 * floor_of(0.5 * n) == n;
    return (x < 0.0 && !even ? -value : value);
}

// The same at x from zero on.
RARE f64 spherical_jn_right(f64 n, f64 x) {
    if (x == 0.0) {
        return (n == 0.0 ? 1.0 : 0.0);
    }
    if (x == infinity<f64>()) {
        return 0.0;
    }
    if (n == 0.0) {
        return called_sin(x) / x;
    }
    if (n == 1.0 && x > 1.0) {
        return (called_sin(x) / x - called_cos(x)) / x;
    }
    return elementary::root(1.5707963267948966 / x) * jv_positive(n + 0.5, x);
}

// The spherical Bessel function of the second kind.
RARE f64 spherical_yn(f64 n, f64 x) {
    if (is_nan(x) || n < 0.0) {
        return not_a_number<f64>();
    }
    auto value = spherical_yn_right(n, elementary::size(x));
    auto even = 2.0 * floor_of(0.5 * n) == n;
    return (x < 0.0 && even ? -value : value);
}

// The same at x from zero on.
RARE f64 spherical_yn_right(f64 n, f64 x) {
    if (n > 1e6) {
        return not_a_number<f64>();
    }
    if (x == 0.0) {
        return -infinity<f64>();
    }
    if (x == infinity<f64>()) {
        return 0.0;
    }
    // Upwards, where the recurrence is stable.
    auto before = -called_cos(x) / x;
    if (n == 0.0) {
        return before;
    }
    auto value = (before - called_sin(x)) / x;
    auto k = 1.0;
    while (k < n) {
        auto next = (2.0 * k + 1.0) / x * value - before;
        before = value;
        value = next;
        if (elementary::size(value) == infinity<f64>()) {
            return value;
        }
        k += 1.0;
    }
    return value;
}

// The modified spherical Bessel function of the first kind.
RARE f64 spherical_in(f64 n, f64 x) {
    if (is_nan(x) || n < 0.0) {
        return not_a_number<f64>();
    }
    auto value = spherical_in_right(n, elementary::size(x));
    auto even = 2.0 * floor_of(0.5 * n) == n;
    return (x < 0.0 && !even ? -value : value);
}

// The same at x from zero on.
RARE f64 spherical_in_right(f64 n, f64 x) {
    if (x == 0.0) {
        return (n == 0.0 ? 1.0 : 0.0);
    }
    if (x == infinity<f64>()) {
        return x;
    }
    if (n == 0.0) {
        return called_sinh(x) / x;
    }
    return elementary::root(1.5707963267948966 / x) * iv(n + 0.5, x);
}

// The modified spherical Bessel function of the second kind.
RARE f64 spherical_kn(f64 n, f64 x) {
    if (is_nan(x) || n < 0.0) {
        return not_a_number<f64>();
    }
    if (x == 0.0) {
        return infinity<f64>();
    }
    if (x < 0.0) {
        // The part that grows with the order is small at first: taken by itself.
        auto value = spherical_kn_right(n, -x);
        auto even = 2.0 * floor_of(0.5 * n) == n;
        return ((even ? -value : value)) - 3.141592653589793 * spherical_in_right(n, -x);
    }
    return spherical_kn_right(n, x);
}

// The same at x above zero.
RARE f64 spherical_kn_right(f64 n, f64 x) {
    if (x == infinity<f64>()) {
        return 0.0;
    }
    if (n > 1e6) {
        return not_a_number<f64>();
    }
    auto before = 1.5707963267948966 * called_exp(-x) / x;
    if (n == 0.0) {
        return before;
    }
    auto value = before * (1.0 + 1.0 / x);
    auto k = 1.0;
    while (k < n) {
        auto next = (2.0 * k + 1.0) / x * value + before;
        before = value;
        value = next;
        if (value == infinity<f64>()) {
            return value;
        }
        k += 1.0;
    }
    return value;
}

// The parts of Airy's functions near zero: Ai = 0.355 f - 0.259 g, and their derivatives.
RARE Quadruple airy_series(f64 x) {
    auto cube = x * x * x;
    auto f = 1.0;
    auto g = x;
    auto df = 0.0;
    auto dg = 1.0;
    auto f_term = 1.0;
    auto g_term = x;
    auto k = 1.0;
    while (k < 40.0) {
        auto n = 3.0 * k;
        auto f_slope = f_term * x * x / (n - 1.0);
        auto g_slope = g_term * x * x / n;
        df += f_slope;
        dg += g_slope;
        f_term *= cube / (n * (n - 1.0));
        g_term *= cube / (n * (n + 1.0));
        f += f_term;
        g += g_term;
        if (elementary::size(f_term) + elementary::size(g_slope) < 1e-18) {
            break;
        }
        k += 1.0;
    }
    return {f, g, df, dg};
}

// Airy's functions Ai and Bi and their derivatives.
RARE Quadruple airy(f64 x) {
    if (is_nan(x)) {
        return {x, x, x, x};
    }
    if (x == infinity<f64>()) {
        return {0.0, 0.0, x, x};
    }
    if (x == -infinity<f64>()) {
        return {0.0, not_a_number<f64>(), 0.0, not_a_number<f64>()};
    }
    auto a = elementary::size(x);
    return airy_at(x, 0.6666666666666666 * a * elementary::root(a));
}

// The same at a finite x, given 2/3 |x|^(3/2).
RARE Quadruple airy_at(f64 x, f64 zeta) {
    if (x > -1.5 && x < 1.0) {
        auto [f, g, df, dg] = airy_series(x);
        auto ai = fused(0.3550280538878172, f, -0.2588194037928068 * g);
        auto aip = fused(0.3550280538878172, df, -0.2588194037928068 * dg);
        auto bi = fused(0.6149266274460007, f, 0.4482883573538264 * g);
        auto bip = fused(0.6149266274460007, df, 0.4482883573538264 * dg);
        return {ai, aip, bi, bip};
    }
    auto a = elementary::size(x);
    auto root = elementary::root(a);
    if (x > 0.0) {
        auto decay = called_exp(-zeta);
        auto k1 = kve_positive(0.3333333333333333, zeta);
        auto k2 = kve_positive(0.6666666666666666, zeta);
        auto i1 = ive_positive(0.3333333333333333, zeta);
        auto i2 = ive_positive(0.6666666666666666, zeta);
        auto third = elementary::root(a / 3.0);
        auto small = decay * decay * 0.5513288954217921;
        auto half = called_exp(0.5 * zeta);
        auto bi = third * fused(2.0, i1, small * k1) * half * half;
        auto bip = a * 0.5773502691896258 * fused(2.0, i2, small * k2) * half * half;
        return {tables_of_airy::ONE_OVER_PI * third * k1 * decay, -a * 0.18377629847393068 * k2 * decay, bi, bip};
    }
    auto [j1v, y1v] = bessel_jy(0.3333333333333333, zeta);
    auto [j2v, y2v] = bessel_jy(0.6666666666666666, zeta);
    auto ai = 0.5 * root * (j1v - y1v * 0.5773502691896258);
    auto bi = -0.5 * root * (j1v * 0.5773502691896258 + y1v);
    auto aip = 0.5 * a * (j2v + y2v * 0.5773502691896258);
    auto bip = 0.5 * a * (j2v * 0.5773502691896258 - y2v);
    return {ai, aip, bi, bip};
}

// Airy's function Ai.
inline f64 airy_ai(f64 x) {
    auto [value, _b, _c, _d] = airy(x);
    return value;
}

// Its derivative.
inline f64 airy_aip(f64 x) {
    auto [_a, value, _c, _d] = airy(x);
    return value;
}

// Airy's function Bi.
inline f64 airy_bi(f64 x) {
    auto [_a, _b, value, _d] = airy(x);
    return value;
}

// Its derivative.
inline f64 airy_bip(f64 x) {
    auto [_a, _b, _c, value] = airy(x);
    return value;
}

}  // namespace special
}  // namespace elementary

template <class T> T cu_j0(T a) { return (T)elementary::special::j0((f64)a); }
template <class T> T cu_j1(T a) { return (T)elementary::special::j1((f64)a); }
template <class T> T cu_y0(T a) { return (T)elementary::special::y0((f64)a); }
template <class T> T cu_y1(T a) { return (T)elementary::special::y1((f64)a); }
template <class T> T cu_i0e(T a) { return (T)elementary::special::i0e((f64)a); }
template <class T> T cu_i1(T a) { return (T)elementary::special::i1((f64)a); }
template <class T> T cu_i1e(T a) { return (T)elementary::special::i1e((f64)a); }
template <class T> T cu_k0(T a) { return (T)elementary::special::k0((f64)a); }
template <class T> T cu_k0e(T a) { return (T)elementary::special::k0e((f64)a); }
template <class T> T cu_k1(T a) { return (T)elementary::special::k1((f64)a); }
template <class T> T cu_k1e(T a) { return (T)elementary::special::k1e((f64)a); }
template <class T> T cu_jv(T a, T b) { return (T)elementary::special::jv((f64)a, (f64)b); }
template <class T> T cu_jve(T a, T b) { return (T)elementary::special::jve((f64)a, (f64)b); }
template <class T> T cu_yve(T a, T b) { return (T)elementary::special::yve((f64)a, (f64)b); }
template <class T> T cu_yv(T a, T b) { return (T)elementary::special::yv((f64)a, (f64)b); }
template <class T> T cu_yn(T a, T b) { return (T)elementary::special::yn((f64)a, (f64)b); }
template <class T> T cu_iv(T a, T b) { return (T)elementary::special::iv((f64)a, (f64)b); }
template <class T> T cu_ive(T a, T b) { return (T)elementary::special::ive((f64)a, (f64)b); }
template <class T> T cu_kv(T a, T b) { return (T)elementary::special::kv((f64)a, (f64)b); }
template <class T> T cu_kve(T a, T b) { return (T)elementary::special::kve((f64)a, (f64)b); }
template <class T> T cu_kn(T a, T b) { return (T)elementary::special::kn((f64)a, (f64)b); }
template <class T> T cu_spherical_jn(T a, T b) { return (T)elementary::special::spherical_jn((f64)a, (f64)b); }
template <class T> T cu_spherical_yn(T a, T b) { return (T)elementary::special::spherical_yn((f64)a, (f64)b); }
template <class T> T cu_spherical_in(T a, T b) { return (T)elementary::special::spherical_in((f64)a, (f64)b); }
template <class T> T cu_spherical_kn(T a, T b) { return (T)elementary::special::spherical_kn((f64)a, (f64)b); }
template <class T> T cu_airy_ai(T a) { return (T)elementary::special::airy_ai((f64)a); }
template <class T> T cu_airy_aip(T a) { return (T)elementary::special::airy_aip((f64)a); }
template <class T> T cu_airy_bi(T a) { return (T)elementary::special::airy_bi((f64)a); }
template <class T> T cu_airy_bip(T a) { return (T)elementary::special::airy_bip((f64)a); }
