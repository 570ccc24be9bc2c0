//! The numbers compared with those of TensorFlow 2.21 for the seed [1, 2], with moments, and for any number of threads.

use super::*;
use crate::parallel::on_threads;

fn seed(a: i64, b: i64) -> Array {
    Array::new(&[2], vec![a, b])
}

/// The result of a kernel for the seed [1, 2].
fn drawn<T: Element>(kernel: impl FnOnce(&Array, &mut Array) -> Result<(), KernelError>) -> Vec<T> {
    let mut out = Array::default();
    kernel(&seed(1, 2), &mut out).unwrap();
    out.values::<T>().unwrap().to_vec()
}

#[test]
fn uniform_numbers_are_tensorflows() {
    assert_eq!(
        drawn::<f32>(|s, out| random_uniform(s, &[5], DType::F32, out)),
        [
            0.844_060_4,
            0.192_045_33,
            0.996_223_2,
            0.160_387_4,
            0.271_990_18
        ]
    );
    assert_eq!(
        drawn::<f64>(|s, out| random_uniform(s, &[3], DType::F64, out)),
        [
            0.752_483_753_845_180_1,
            0.969_785_772_562_748_6,
            0.175_922_339_128_974_81
        ]
    );
    let mut out = Array::default();
    random_uniform(&seed(-7, 1 << 40), &[5], DType::F32, &mut out).unwrap();
    assert_eq!(
        out.values(),
        Some(
            &[
                0.902_487_64f32,
                0.543_716_1,
                0.628_800_3,
                0.009_226_203,
                0.307_379_96
            ][..]
        )
    );
}

#[test]
fn floats_of_16_bits_are_tensorflows() {
    type Kernel = fn(&Array, &[usize], DType, &mut Array) -> Result<(), KernelError>;
    let drawn = |kernel: Kernel| {
        let halves = drawn::<f16>(|s, out| kernel(s, &[5], DType::F16, out));
        let brains = drawn::<bf16>(|s, out| kernel(s, &[5], DType::BF16, out));
        let halves = halves.into_iter().map(f16::to_f32).collect::<Vec<f32>>();
        let brains = brains.into_iter().map(bf16::to_f32).collect::<Vec<f32>>();
        [halves, brains]
    };
    assert_eq!(
        drawn(random_uniform),
        [
            [
                0.542_968_75,
                0.235_351_56,
                0.060_546_875,
                0.893_554_7,
                0.143_554_69
            ],
            [0.343_75, 0.882_812_5, 0.484_375, 0.148_437_5, 0.148_437_5],
        ]
    );
    assert_eq!(
        drawn(random_normal),
        [
            [
                0.543_945_3,
                0.207_397_46,
                0.073_547_36,
                0.046_447_754,
                -1.301_757_8
            ],
            [
                0.542_968_75,
                0.207_031_25,
                0.073_730_47,
                0.046_386_72,
                -1.304_687_5
            ],
        ]
    );
    assert_eq!(
        drawn(random_truncated_normal),
        [
            [
                0.543_945_3,
                0.207_397_46,
                0.073_547_36,
                0.046_447_754,
                0.168_212_89
            ],
            [
                0.542_968_75,
                0.207_031_25,
                0.073_730_47,
                0.046_386_72,
                0.167_968_75
            ],
        ]
    );
}

#[test]
fn integers_are_tensorflows() {
    let (low, high) = (Array::scalar(-3), Array::scalar(1000));
    assert_eq!(
        drawn::<i32>(|s, out| random_integers(s, &low, &high, &[5], out)),
        [97, 284, 647, 168, 310]
    );
    let (low, high) = (
        Array::scalar(-3i64),
        Array::scalar(1_000_000_000_000_000i64),
    );
    assert_eq!(
        drawn::<i64>(|s, out| random_integers(s, &low, &high, &[3], out)),
        [880_146_280_592_049, 45_637_757_956_502, 275_318_163_997_897]
    );
    assert_eq!(
        drawn::<i32>(|s, out| random_bits(s, &[5], DType::I32, out)),
        [
            1_105_988_140,
            1_738_052_849,
            -335_576_002,
            370_444_179,
            10_670_227
        ]
    );
    assert_eq!(
        drawn::<i64>(|s, out| random_bits(s, &[2], DType::I64, out)),
        [7_464_880_146_280_614_444, 1_591_045_637_757_961_278]
    );
}

#[test]
fn normal_numbers_are_tensorflows() {
    let close = |ours: &[f64], theirs: &[f64]| {
        assert_eq!(ours.len(), theirs.len());
        for (a, b) in ours.iter().zip(theirs) {
            assert!((a - b).abs() <= 1e-6 * b.abs().max(0.1), "{a} is not {b}");
        }
    };
    let wide = |values: Vec<f32>| values.into_iter().map(f64::from).collect::<Vec<_>>();
    close(
        &wide(drawn(|s, out| random_normal(s, &[7], DType::F32, out))),
        &[
            0.5441101, 0.20738031, 0.07356432, 0.04643455, -1.3015898, -0.9538565, 0.84172857,
        ],
    );
    close(
        &drawn(|s, out| random_normal(s, &[5], DType::F64, out)),
        &[
            -0.1423118100189212,
            0.7406072461585091,
            -1.469047669443883,
            1.147747453689489,
            -0.7218813856153005,
        ],
    );
    close(
        &wide(drawn(|s, out| {
            random_truncated_normal(s, &[10], DType::F32, out)
        })),
        &[
            0.5441101, 0.20738031, 0.07356432, 0.04643455, 0.16820592, -1.6850333, 0.24202858,
            1.7034503, 1.1060678, -1.0725638,
        ],
    );
    close(
        &drawn(|s, out| random_truncated_normal(s, &[7], DType::F64, out)),
        &[
            -0.1423118100189212,
            0.7406072461585091,
            -0.552387756244845,
            -0.734450092480207,
            -0.39842023956588357,
            0.1899654040344941,
            -1.1075957112525743,
        ],
    );
}

#[test]
fn any_number_of_threads_draws_the_same() {
    let mut alone = Vec::new();
    for threads in [1, 3] {
        on_threads(threads, || {
            let uniform = drawn::<f32>(|s, out| random_uniform(s, &[20000], DType::F32, out));
            let truncated =
                drawn::<f32>(|s, out| random_truncated_normal(s, &[20000], DType::F32, out));
            // TensorFlow's last numbers of the same count.
            assert_eq!(uniform[19997..], [0.640_676_26, 0.374_443_9, 0.870_533_6]);
            assert!((truncated[19999] + 0.798_876_46).abs() < 1e-6);
            alone.push((uniform, truncated));
        });
    }
    assert_eq!(alone[0], alone[1]);
}

#[test]
fn moments_are_those_of_the_distributions() {
    const N: usize = 200_000;
    let moments = |values: &[f64]| {
        let mean = values.iter().sum::<f64>() / N as f64;
        let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / N as f64;
        (mean, variance)
    };
    // Five standard errors of mean and variance.
    let check = |(mean, variance): (f64, f64), (m, v, fourth): (f64, f64, f64)| {
        assert!(
            (mean - m).abs() < 5.0 * (v / N as f64).sqrt(),
            "mean {mean} for {m}"
        );
        let error = ((fourth - v * v) / N as f64).sqrt();
        assert!(
            (variance - v).abs() < 5.0 * error,
            "variance {variance} for {v}"
        );
    };
    let uniform: Vec<f64> = drawn(|s, out| random_uniform(s, &[N], DType::F64, out));
    assert!(uniform.iter().all(|v| (0.0..1.0).contains(v)));
    check(moments(&uniform), (0.5, 1.0 / 12.0, 1.0 / 80.0));
    let normal: Vec<f64> = drawn(|s, out| random_normal(s, &[N], DType::F64, out));
    check(moments(&normal), (0.0, 1.0, 3.0));
    let truncated: Vec<f64> = drawn(|s, out| random_truncated_normal(s, &[N], DType::F64, out));
    assert!(truncated.iter().all(|v| v.abs() < 2.0));
    // 1 - 2·2·φ(2) / (Φ(2) - Φ(-2)), and the fourth moment from the same recurrence.
    check(moments(&truncated), (0.0, 0.773_741_3, 1.416_189));
}

#[test]
fn every_order_is_as_likely() {
    let mut counts = [0; 24];
    for n in 0..24_000 {
        let (x, mut out) = (Array::new(&[4], vec![0, 1, 2, 3]), Array::default());
        random_shuffle(&seed(n, 0), &x, &mut out).unwrap();
        let order = out.values::<i32>().unwrap();
        let rank = (0..4).fold(0, |rank, i| {
            let smaller = order[i + 1..].iter().filter(|o| **o < order[i]).count();
            rank * (4 - i) + smaller
        });
        counts[rank] += 1;
    }
    let chi_squared: f64 = counts
        .iter()
        .map(|c| f64::from(c - 1000i32).powi(2) / 1000.0)
        .sum();
    // The 0.9999 quantile of chi-squared with 23 degrees of freedom.
    assert!(chi_squared < 57.0, "{counts:?}");
}

#[test]
fn rows_are_shuffled_whole() {
    let x = Array::new(&[100, 2], (0..200).collect::<Vec<i32>>());
    let mut out = Array::default();
    random_shuffle(&seed(5, 6), &x, &mut out).unwrap();
    let mut firsts: Vec<i32> = Vec::new();
    for row in out.values::<i32>().unwrap().chunks(2) {
        assert_eq!((row[0] % 2, row[1]), (0, row[0] + 1));
        firsts.push(row[0]);
    }
    assert_ne!(firsts, (0..100).map(|n| 2 * n).collect::<Vec<_>>());
    firsts.sort_unstable();
    assert_eq!(firsts, (0..100).map(|n| 2 * n).collect::<Vec<_>>());
}

#[test]
fn what_cannot_be_drawn_is_an_error() {
    let mut out = Array::default();
    let (low, high) = (Array::scalar(5), Array::scalar(5));
    let error = random_integers(&seed(1, 2), &low, &high, &[1], &mut out).unwrap_err();
    assert_eq!(error.to_string(), "Need minval < maxval, got 5 >= 5");
    let no_seed = Array::scalar(1i64);
    assert!(random_uniform(&no_seed, &[1], DType::F32, &mut out).is_err());
    assert!(random_uniform(&seed(1, 2), &[1], DType::I32, &mut out).is_err());
    assert!(random_uniform(&seed(1, 2), &[usize::MAX, 2], DType::F32, &mut out).is_err());
    let extremes = (Array::scalar(i32::MIN), Array::scalar(i32::MAX));
    random_integers(&seed(1, 2), &extremes.0, &extremes.1, &[8], &mut out).unwrap();
}
