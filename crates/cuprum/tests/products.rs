//! Products: shapes, broadcasting, dtypes, the subscript language and errors.

use cuprum::creation::{arange, ones, zeros};
use cuprum::prelude::*;
use cuprum::products::*;
use cuprum::{Error, Result};

fn count(n: i64) -> Array {
    arange(Number::Int(0), Number::Int(n as i128), Number::Int(1), None).unwrap()
}

fn ints(a: &Array) -> Vec<i64> {
    a.to_vec::<i64>().unwrap()
}

fn message<T>(result: Result<T>) -> String {
    result.err().expect("an error").to_string()
}

#[test]
fn matmul_of_every_rank() -> Result<()> {
    let (v, m) = (count(3), count(6).reshape(&[2, 3])?);
    assert_eq!(matmul(&v, &v, None)?.item::<i64>()?, 5);
    assert_eq!(ints(&matmul(&m, &v, None)?), vec![5, 14]);
    assert_eq!(ints(&matmul(&v, &m.transpose(), None)?), vec![5, 14]);
    assert_eq!(ints(&matmul(&m, &m.transpose(), None)?), vec![5, 14, 14, 50]);
    let stack = ones(&[4, 1, 3, 2], DType::I64)?;
    assert_eq!(matmul(&ones(&[5, 2, 3], DType::I64)?, &stack, None)?.shape(), &[4, 5, 2, 2]);
    assert_eq!(matmul(&v, &stack, None)?.shape(), &[4, 1, 2]);
    assert_eq!(matmul(&stack, &count(2), None)?.shape(), &[4, 1, 3]);
    Ok(())
}

#[test]
fn matmul_promotes_and_stores() -> Result<()> {
    let (a, b) = (ones(&[2, 2], DType::F32)?, ones(&[2, 2], DType::I32)?);
    assert_eq!(matmul(&a, &b, None)?.dtype(), DType::F64);
    let truth = ones(&[2, 2], DType::Bool)?;
    assert_eq!(matmul(&truth, &truth, None)?.to_vec::<bool>()?, vec![true; 4]);
    let out = zeros(&[2, 2], DType::F64)?;
    matmul(&a, &a, Some(&out))?;
    assert_eq!(out.to_vec::<f64>()?, vec![2.0; 4]);
    assert!(matches!(matmul(&a, &a, Some(&zeros(&[2, 2], DType::I32)?)), Err(Error::Cast { .. })));
    let eight = ones(&[1, 2], DType::I8)?;
    assert_eq!(matmul(&eight, &eight.transpose(), None)?.dtype(), DType::I8);
    Ok(())
}

#[test]
fn matmul_errors() -> Result<()> {
    let (a, b) = (zeros(&[3, 4], DType::F64)?, zeros(&[5, 6], DType::F64)?);
    assert_eq!(message(matmul(&a, &b, None)), "matmul: shapes (3, 4) and (5, 6) do not match: 4 != 5");
    assert!(
        message(matmul(&a, &zeros(&[], DType::F64)?, None))
            .contains("operand 1 does not have enough dimensions")
    );
    let stacks = matmul(&zeros(&[2, 1, 1], DType::F64)?, &zeros(&[3, 1, 1], DType::F64)?, None);
    assert!(matches!(stacks, Err(Error::Broadcast { .. })));
    assert_eq!(
        message(dot(&a, &b, None)),
        "dot: shapes (3, 4) and (5, 6) not aligned: 4 (dim 1) != 5 (dim 0)"
    );
    Ok(())
}

#[test]
fn products_of_nothing_are_zero() -> Result<()> {
    let (a, b) = (zeros(&[2, 0], DType::F64)?, zeros(&[0, 3], DType::F64)?);
    assert_eq!(matmul(&a, &b, None)?.to_vec::<f64>()?, vec![0.0; 6]);
    assert_eq!(matmul(&b.transpose(), &a.transpose(), None)?.shape(), &[3, 2]);
    assert_eq!(dot(&zeros(&[0], DType::F64)?, &zeros(&[0], DType::F64)?, None)?.item::<f64>()?, 0.0);
    Ok(())
}

#[test]
fn dot_inner_outer_and_their_kin() -> Result<()> {
    let a = count(6).reshape(&[2, 3])?;
    let three = Array::from_slice(&[3i64]).index(&[Index::Int(0)])?;
    assert_eq!(ints(&dot(&a, &three, None)?), vec![0, 3, 6, 9, 12, 15]);
    let b = count(24).reshape(&[2, 3, 4])?;
    let d = dot(&a, &b, None)?;
    assert_eq!(d.shape(), &[2, 2, 4]);
    // d[1, 1, 2] = sum over k of a[1, k] * b[1, k, 2]
    assert_eq!(
        d.index(&[Index::Int(1), Index::Int(1), Index::Int(2)])?.item::<i64>()?,
        3 * 14 + 4 * 18 + 5 * 22
    );
    assert_eq!(ints(&inner(&a, &a, None)?), vec![5, 14, 14, 50]);
    assert_eq!(ints(&outer(&count(2), &count(3), None)?), vec![0, 0, 0, 0, 1, 2]);
    assert_eq!(vdot(&a, &a)?.item::<i64>()?, 55);
    assert_eq!(tensordot(&a, &b, &[0, 1], &[0, 1])?.shape(), &[4]);
    assert!(message(tensordot(&a, &b, &[0], &[2])).starts_with("tensordot: shape-mismatch for sum"));
    let k = kron(&count(2), &Array::from_slice(&[1i64, 1]).reshape(&[2, 1])?)?;
    assert_eq!((k.shape(), ints(&k)), (&[2, 2][..], vec![0, 1, 0, 1]));
    assert_eq!(trace(&a, 1, 0, 1, None, None)?.item::<i64>()?, 1 + 5);
    assert_eq!(ints(&vecdot(&a, &count(3), -1)?), vec![5, 14]);
    Ok(())
}

#[test]
fn cross_products() -> Result<()> {
    let (a, b) = (Array::from_slice(&[1i64, 2, 3]), Array::from_slice(&[4i64, 5, 6]));
    assert_eq!(ints(&cross(&a, &b, -1, -1, -1)?), vec![-3, 6, -3]);
    let plane = Array::from_slice(&[1i64, 2]);
    assert_eq!(ints(&cross(&plane, &b, -1, -1, -1)?), vec![12, -6, -3]);
    assert_eq!(cross(&plane, &Array::from_slice(&[3i64, 4]), -1, -1, -1)?.item::<i64>()?, -2);
    let rows = count(6).reshape(&[2, 3])?;
    assert_eq!(cross(&rows, &a, -1, -1, 0)?.shape(), &[3, 2]);
    assert!(cross(&count(4), &a, -1, -1, -1).is_err());
    Ok(())
}

#[test]
fn einsum_speaks_the_whole_language() -> Result<()> {
    let a = count(6).reshape(&[2, 3])?;
    let b = count(12).reshape(&[3, 4])?;
    let square = count(9).reshape(&[3, 3])?;
    let run = |text: &str, operands: &[&Array]| einsum(text, operands, None, None);
    assert_eq!(ints(&run("ij,jk->ik", &[&a, &b])?), ints(&matmul(&a, &b, None)?));
    assert_eq!(ints(&run("ij,jk", &[&a, &b])?), ints(&matmul(&a, &b, None)?));
    assert_eq!(ints(&run("ba", &[&a])?), ints(&a.transpose()));
    assert_eq!(run("ii", &[&square])?.item::<i64>()?, 12);
    assert_eq!(ints(&run("ii->i", &[&square])?), vec![0, 4, 8]);
    assert_eq!(ints(&run("ij->i", &[&a])?), vec![3, 12]);
    assert_eq!(run("ij->", &[&a])?.item::<i64>()?, 15);
    assert_eq!(ints(&run("i,j->ij", &[&count(2), &count(3)])?), vec![0, 0, 0, 0, 1, 2]);
    assert_eq!(run("...ij,...jk->...ik", &[&ones(&[5, 2, 3], DType::I64)?, &b])?.shape(), &[5, 2, 4]);
    assert_eq!(run("i...->...", &[&a])?.shape(), &[3]);
    assert_eq!(run("ij,jk,kl->il", &[&a, &b, &ones(&[4, 2], DType::I64)?])?.shape(), &[2, 2]);
    assert_eq!(run("ij,ij->", &[&a, &a])?.item::<i64>()?, 55);
    assert_eq!(
        ints(&run("bij,bjk->bik", &[&ones(&[2, 2, 3], DType::I64)?, &ones(&[2, 3, 1], DType::I64)?])?),
        vec![3; 4]
    );
    assert_eq!(ints(&run(" i j , j -> i ", &[&a, &count(3)])?), vec![5, 14]);
    Ok(())
}

#[test]
fn einsum_refuses_what_makes_no_sense() -> Result<()> {
    let a = count(6).reshape(&[2, 3])?;
    let run = |text: &str, operands: &[&Array]| message(einsum(text, operands, None, None));
    assert!(run("ij,jk", &[&a]).contains("1 operands for 2 subscripts"));
    assert!(run("ijk", &[&a]).contains("names 3") || run("ijk", &[&a]).contains("name 3"));
    assert!(run("ij->k", &[&a]).contains("never appeared"));
    assert!(run("ij->ii", &[&a]).contains("multiple times"));
    assert!(run("i1", &[&a]).contains("invalid subscript"));
    assert!(run("ii", &[&a]).contains("lengths 2 and 3 for one subscript"));
    assert!(run("ij,jk", &[&a, &a]).contains("another operand has 3"));
    Ok(())
}
