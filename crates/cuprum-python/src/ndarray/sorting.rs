//! The methods that sort, partition and search.

use cuprum::sorting::{self, Side};
use pyo3::prelude::*;

use super::NdArray;
use crate::convert::arguments::OptArg;
use crate::functions::ArrayResult;
use crate::functions::sorting as functions;
use crate::gate;

#[pymethods]
impl NdArray {
    /// Puts the elements in order along an axis, in place. See `cuprum.sort`.
    ///
    /// Examples
    /// --------
    /// >>> a = cp.array([3, 1, 2])
    /// >>> a.sort()
    /// >>> a
    /// array([1, 2, 3])
    #[pyo3(signature = (axis=-1, kind=None, order=None, *, stable=None))]
    fn sort(
        &self,
        py: Python<'_>,
        axis: i64,
        kind: OptArg<'_, '_>,
        order: OptArg<'_, '_>,
        stable: OptArg<'_, '_>,
    ) -> PyResult<()> {
        functions::check_kind("sort", kind, order, stable)?;
        let array = self.array(py);
        gate::detached(py, || sorting::sort_in_place(&array, axis))
    }

    /// The positions that sort along an axis. See `cuprum.argsort`.
    ///
    /// Examples
    /// --------
    /// >>> cp.array([7, 1, 5]).argsort()
    /// array([1, 2, 0])
    #[pyo3(signature = (axis=Some(-1), kind=None, order=None, *, stable=None))]
    fn argsort<'py>(
        &self,
        py: Python<'py>,
        axis: Option<i64>,
        kind: OptArg<'_, 'py>,
        order: OptArg<'_, 'py>,
        stable: OptArg<'_, 'py>,
    ) -> ArrayResult<'py> {
        functions::check_kind("argsort", kind, order, stable)?;
        let array = self.array(py);
        let result = gate::compute(py, &[&array], || sorting::argsort(&array, axis))?;
        NdArray::wrap(py, result)
    }

    /// Partitions the elements along an axis, in place. See `cuprum.partition`.
    ///
    /// Examples
    /// --------
    /// >>> a = cp.array([3, 4, 1, 2])
    /// >>> a.partition(0)
    /// >>> int(a[0])
    /// 1
    #[pyo3(signature = (kth, axis=-1, kind=None, order=None))]
    fn partition(
        &self,
        py: Python<'_>,
        kth: &Bound<'_, PyAny>,
        axis: i64,
        kind: OptArg<'_, '_>,
        order: OptArg<'_, '_>,
    ) -> PyResult<()> {
        functions::check_select_kind("partition", kind, order)?;
        let kth = functions::kth_positions("partition", kth)?;
        let array = self.array(py);
        gate::detached(py, || sorting::partition_in_place(&array, &kth, axis))
    }

    /// The positions that partition along an axis. See `cuprum.argpartition`.
    ///
    /// Examples
    /// --------
    /// >>> a = cp.array([7, 1, 5])
    /// >>> a[a.argpartition(0)[0]]
    /// array(1)
    #[pyo3(signature = (kth, axis=Some(-1), kind=None, order=None))]
    fn argpartition<'py>(
        &self,
        py: Python<'py>,
        kth: &Bound<'py, PyAny>,
        axis: Option<i64>,
        kind: OptArg<'_, 'py>,
        order: OptArg<'_, 'py>,
    ) -> ArrayResult<'py> {
        functions::check_select_kind("argpartition", kind, order)?;
        let kth = functions::kth_positions("argpartition", kth)?;
        let array = self.array(py);
        let result = gate::compute(py, &[&array], || sorting::argpartition(&array, &kth, axis))?;
        NdArray::wrap(py, result)
    }

    /// Where elements belong in this sorted array. See `cuprum.searchsorted`.
    ///
    /// Examples
    /// --------
    /// >>> cp.array([1, 3, 5]).searchsorted(4)
    /// array(2)
    #[pyo3(signature = (v, side=None, sorter=None))]
    fn searchsorted<'py>(
        slf: &Bound<'py, Self>,
        v: &Bound<'py, PyAny>,
        side: OptArg<'_, 'py>,
        sorter: OptArg<'_, 'py>,
    ) -> ArrayResult<'py> {
        let side = side.map_or(Ok(Side::Left), functions::side_of)?;
        functions::searched(slf.as_any(), v, side, sorter)
    }
}
