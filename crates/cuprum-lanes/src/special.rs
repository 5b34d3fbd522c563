//! The lanes of special functions, in the two forms that [`crate::math::special`] is compiled in.

use cuprum_core::{DType, Op};

use super::Lane;
use super::loops::Isa;
use crate::math::special::{fused, portable};

/// The lanes of a function in `f64` and in `f32`.
macro_rules! pair {
    ($set:ident, $family:ident, $name:ident) => {
        [$set::$family::doubles::$name as Lane, $set::$family::singles::$name as Lane]
    };
}

/// The lanes of each op in real dtypes, from one of the two forms.
macro_rules! real_lanes {
    ($set:ident, $op:expr) => {
        match $op {
            Op::Gamma => pair!($set, gamma, gamma),
            Op::Rgamma => pair!($set, gamma, rgamma),
            Op::Gammaln => pair!($set, gamma, gammaln),
            Op::Loggamma => pair!($set, gamma, loggamma),
            Op::Gammasgn => pair!($set, gamma, gammasgn),
            Op::Digamma => pair!($set, gamma, psi),
            Op::Beta => pair!($set, gamma, beta),
            Op::Betaln => pair!($set, gamma, betaln),
            Op::Binom => pair!($set, gamma, binom),
            Op::Poch => pair!($set, gamma, poch),
            Op::HurwitzZeta => pair!($set, gamma, zeta),
            Op::RiemannZeta => pair!($set, gamma, riemann_zeta),
            Op::Zetac => pair!($set, gamma, zetac),
            Op::Erf => pair!($set, erf, erf),
            Op::Erfc => pair!($set, erf, erfc),
            Op::Erfcx => pair!($set, erf, erfcx),
            Op::Erfinv => pair!($set, erf, erfinv),
            Op::Erfcinv => pair!($set, erf, erfcinv),
            Op::Ndtr => pair!($set, erf, ndtr),
            Op::LogNdtr => pair!($set, erf, log_ndtr),
            Op::Ndtri => pair!($set, erf, ndtri),
            Op::Expit => pair!($set, exponential, expit),
            Op::Logit => pair!($set, exponential, logit),
            Op::LogExpit => pair!($set, exponential, log_expit),
            Op::Exprel => pair!($set, exponential, exprel),
            Op::Cosm1 => pair!($set, exponential, cosm1),
            Op::Exp10 => pair!($set, exponential, exp10),
            Op::Xlogy => pair!($set, exponential, xlogy),
            Op::Xlog1py => pair!($set, exponential, xlog1py),
            Op::Entr => pair!($set, exponential, entr),
            Op::RelEntr => pair!($set, exponential, rel_entr),
            Op::KlDiv => pair!($set, exponential, kl_div),
            Op::Huber => pair!($set, exponential, huber),
            Op::PseudoHuber => pair!($set, exponential, pseudo_huber),
            Op::Boxcox => pair!($set, exponential, boxcox),
            Op::Boxcox1p => pair!($set, exponential, boxcox1p),
            Op::InvBoxcox => pair!($set, exponential, inv_boxcox),
            Op::InvBoxcox1p => pair!($set, exponential, inv_boxcox1p),
            Op::Radian => pair!($set, exponential, radian),
            Op::Sindg => pair!($set, exponential, sindg),
            Op::Cosdg => pair!($set, exponential, cosdg),
            Op::Tandg => pair!($set, exponential, tandg),
            Op::Cotdg => pair!($set, exponential, cotdg),
            Op::Gammainc => pair!($set, incomplete, gammainc),
            Op::Gammaincc => pair!($set, incomplete, gammaincc),
            Op::Gammaincinv => pair!($set, incomplete, gammaincinv),
            Op::Gammainccinv => pair!($set, incomplete, gammainccinv),
            Op::Betainc => pair!($set, incomplete, betainc),
            Op::Betaincc => pair!($set, incomplete, betaincc),
            Op::Betaincinv => pair!($set, incomplete, betaincinv),
            Op::Betainccinv => pair!($set, incomplete, betainccinv),
            Op::Stdtr => pair!($set, incomplete, stdtr),
            Op::Stdtrit => pair!($set, incomplete, stdtrit),
            Op::J0 => pair!($set, bessel, j0),
            Op::J1 => pair!($set, bessel, j1),
            Op::Y0 => pair!($set, bessel, y0),
            Op::Y1 => pair!($set, bessel, y1),
            Op::I0e => pair!($set, bessel, i0e),
            Op::I1 => pair!($set, bessel, i1),
            Op::I1e => pair!($set, bessel, i1e),
            Op::K0 => pair!($set, bessel, k0),
            Op::K0e => pair!($set, bessel, k0e),
            Op::K1 => pair!($set, bessel, k1),
            Op::K1e => pair!($set, bessel, k1e),
            Op::Jv => pair!($set, bessel, jv),
            Op::Yv => pair!($set, bessel, yv),
            Op::Yn => pair!($set, bessel, yn),
            Op::Iv => pair!($set, bessel, iv),
            Op::Ive => pair!($set, bessel, ive),
            Op::Kv => pair!($set, bessel, kv),
            Op::Kve => pair!($set, bessel, kve),
            Op::Kn => pair!($set, bessel, kn),
            Op::SphericalJn => pair!($set, bessel, spherical_jn),
            Op::SphericalYn => pair!($set, bessel, spherical_yn),
            Op::SphericalIn => pair!($set, bessel, spherical_in),
            Op::SphericalKn => pair!($set, bessel, spherical_kn),
            Op::AiryAi => pair!($set, bessel, airy_ai),
            Op::AiryAip => pair!($set, bessel, airy_aip),
            Op::AiryBi => pair!($set, bessel, airy_bi),
            Op::AiryBip => pair!($set, bessel, airy_bip),
            Op::Exp1 => pair!($set, integrals, exp1),
            Op::Expi => pair!($set, integrals, expi),
            Op::Expn => pair!($set, integrals, expn),
            Op::SineIntegral => pair!($set, integrals, sici_si),
            Op::CosineIntegral => pair!($set, integrals, sici_ci),
            Op::HyperbolicSineIntegral => pair!($set, integrals, shichi_shi),
            Op::HyperbolicCosineIntegral => pair!($set, integrals, shichi_chi),
            Op::Spence => pair!($set, integrals, spence),
            Op::Dawsn => pair!($set, integrals, dawsn),
            Op::Erfi => pair!($set, integrals, erfi),
            Op::FresnelS => pair!($set, integrals, fresnel_s),
            Op::FresnelC => pair!($set, integrals, fresnel_c),
            Op::Agm => pair!($set, elliptic, agm),
            Op::Ellipk => pair!($set, elliptic, ellipk),
            Op::Ellipkm1 => pair!($set, elliptic, ellipkm1),
            Op::Ellipe => pair!($set, elliptic, ellipe),
            Op::Ellipkinc => pair!($set, elliptic, ellipkinc),
            Op::Ellipeinc => pair!($set, elliptic, ellipeinc),
            Op::Elliprf => pair!($set, elliptic, elliprf),
            Op::Elliprd => pair!($set, elliptic, elliprd),
            Op::Elliprc => pair!($set, elliptic, elliprc),
            Op::Elliprg => pair!($set, elliptic, elliprg),
            Op::EllipjSn => pair!($set, elliptic, ellipj_sn),
            Op::EllipjCn => pair!($set, elliptic, ellipj_cn),
            Op::EllipjDn => pair!($set, elliptic, ellipj_dn),
            Op::EllipjPh => pair!($set, elliptic, ellipj_ph),
            Op::Hyp0f1 => pair!($set, hypergeometric, hyp0f1),
            Op::Hyp1f1 => pair!($set, hypergeometric, hyp1f1),
            Op::Lpmv => pair!($set, hypergeometric, lpmv),
            Op::SphLegendre => pair!($set, hypergeometric, sph_legendre_p),
            Op::EvalLegendre => pair!($set, hypergeometric, eval_legendre),
            Op::EvalChebyt => pair!($set, hypergeometric, eval_chebyt),
            Op::EvalChebyu => pair!($set, hypergeometric, eval_chebyu),
            Op::EvalHermite => pair!($set, hypergeometric, eval_hermite),
            Op::EvalHermitenorm => pair!($set, hypergeometric, eval_hermitenorm),
            Op::EvalGenlaguerre => pair!($set, hypergeometric, eval_genlaguerre),
            Op::EvalGegenbauer => pair!($set, hypergeometric, eval_gegenbauer),
            Op::WrightBessel => pair!($set, hypergeometric, wright_bessel),
            Op::VoigtProfile => pair!($set, voigt, voigt_profile),
            _ => return None,
        }
    };
}

/// The lanes of each op in complex dtypes.
macro_rules! complex_lanes {
    ($set:ident, $op:expr) => {
        match $op {
            Op::Gamma => pair!($set, complex_gamma, complex_gamma),
            Op::Rgamma => pair!($set, complex_gamma, complex_rgamma),
            Op::Loggamma => pair!($set, complex_gamma, complex_loggamma),
            Op::Digamma => pair!($set, complex_gamma, complex_psi),
            Op::Wofz => pair!($set, complex_erf, complex_wofz),
            Op::Lambertw => pair!($set, complex_gamma, complex_lambertw),
            _ => return None,
        }
    };
}

/// The lane of a special function.
pub(super) fn lane<I: Isa>(op: Op, dtype: DType) -> Option<Lane> {
    let [double, single] = match (dtype.is_complex(), I::FUSES) {
        (false, true) => real_lanes!(fused, op),
        (false, false) => real_lanes!(portable, op),
        (true, true) => complex_lanes!(fused, op),
        (true, false) => complex_lanes!(portable, op),
    };
    match dtype {
        DType::F64 | DType::C128 => Some(double),
        DType::F32 | DType::C64 => Some(single),
        _ => None,
    }
}
