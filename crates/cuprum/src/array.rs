//! [`Array`]: a view of a storage, with what every routine needs to know of it.

use std::sync::Arc;

use cuprum_core::memory::{try_filled, try_with_capacity};
use cuprum_core::{DType, Dims, Error, Index, Layout, Order, Result, Scalar, show_shape};
use cuprum_graph::{
    Buffer, DeviceRef, Event, EventKind, Node, NodeArg, NodeKind, Span, Storage, View, converted,
    count_to_device, count_to_host, note_dropped, same_device, writable_buffer,
};

use crate::{Element, creation, default_device};

/// An n-dimensional array. Cloning is cheap and shares the elements; [`Array::copy`] does not.
///
/// ```
/// use cuprum::Array;
/// let a = Array::from_slice(&[1.0, 2.0, 3.0]);
/// assert_eq!(a.shape(), &[3]);
/// assert_eq!((&a + 1.0).to_vec::<f64>().unwrap(), vec![2.0, 3.0, 4.0]);
/// ```
#[derive(Clone, Debug)]
pub struct Array {
    view: View,
    writeable: bool,
}

/// A pending result that is dropped unread may still be computed: for whoever waits next (`unread.rs` of
/// `cuprum-graph`).
impl Drop for Array {
    #[inline]
    fn drop(&mut self) {
        note_dropped(self.view.storage());
    }
}

impl Array {
    /// An array over a view.
    pub fn from_view(view: View) -> Array {
        Array { view, writeable: true }
    }

    /// A one-dimensional array with a copy of these elements.
    pub fn from_slice<T: Element>(elements: &[T]) -> Array {
        let mut bytes = Vec::with_capacity(std::mem::size_of_val(elements));
        elements.iter().for_each(|e| e.write(&mut bytes));
        Array::from_bytes(&bytes, &[elements.len()], T::DTYPE)
            .expect("a slice in memory fits memory once more")
    }

    /// A one-dimensional array with a copy of these elements, on a device.
    pub(crate) fn from_slice_on<T: Element>(device: DeviceRef, elements: &[T]) -> Result<Array> {
        let mut bytes = try_with_capacity(std::mem::size_of_val(elements))?;
        elements.iter().for_each(|e| e.write(&mut bytes));
        count_to_device(bytes.len());
        Array::made_of(device, &bytes, &[elements.len()], T::DTYPE)
    }

    /// An array of this shape from the bytes of its elements in C order.
    pub fn from_bytes(bytes: &[u8], shape: &[usize], dtype: DType) -> Result<Array> {
        let wanted = shape.iter().try_fold(dtype.size(), |bytes, &length| bytes.checked_mul(length));
        if wanted != Some(bytes.len()) {
            let message = format!("{} bytes do not make shape {} of {dtype}", bytes.len(), show_shape(shape));
            return Err(Error::value("from_bytes", message));
        }
        count_to_device(bytes.len());
        Array::made_of(default_device()?, bytes, shape, dtype)
    }

    /// As [`Array::from_bytes`], on a device and not counted as a transfer.
    pub(crate) fn made_of(device: DeviceRef, bytes: &[u8], shape: &[usize], dtype: DType) -> Result<Array> {
        let buffer = device.allocate(bytes.len())?;
        device.upload(&buffer, 0, bytes)?;
        Ok(Array::from_buffer(device, buffer, Layout::contiguous(shape, dtype.size()), dtype))
    }

    /// An array over existing memory of a device; nothing is copied.
    ///
    /// # Panics
    /// If the buffer is another device's, or an element lies outside of it.
    pub fn from_buffer(device: DeviceRef, buffer: Buffer, layout: Layout, dtype: DType) -> Array {
        Array::from_view(View::new(Storage::ready(device, buffer), layout, dtype))
    }

    /// A 0-d array of one value. As with the scalars of an expression, no transfer is counted.
    pub fn from_scalar(scalar: Scalar) -> Result<Array> {
        Array::from_scalar_on(default_device()?, scalar)
    }

    /// A 0-d array of one value, on a device.
    pub(crate) fn from_scalar_on(device: DeviceRef, scalar: Scalar) -> Result<Array> {
        Array::made_of(device, scalar.bytes(), &[], scalar.dtype())
    }

    /// A 0-d copy of the only element, made at the call.
    ///
    /// ```
    /// use cuprum::Array;
    /// let a = Array::from_slice(&[7]);
    /// assert_eq!(a.single().unwrap().item::<i32>().unwrap(), 7);
    /// ```
    pub fn single(&self) -> Result<Array> {
        Array::from_scalar_on(self.device(), self.read_single()?)
    }

    /// Uninitialised memory of a dense layout. Every element must be written before it is read.
    pub(crate) fn uninitialized(device: DeviceRef, layout: Layout, dtype: DType) -> Result<Array> {
        let buffer = device.allocate(layout.size().saturating_mul(dtype.size()))?;
        Ok(Array::from_buffer(device, buffer, layout, dtype))
    }

    /// The view behind the array.
    #[inline]
    pub fn view(&self) -> &View {
        &self.view
    }

    /// The layout of the elements.
    #[inline]
    pub fn layout(&self) -> &Layout {
        self.view.layout()
    }

    /// The lengths of the axes.
    #[inline]
    pub fn shape(&self) -> &[usize] {
        &self.view.layout().shape
    }

    /// The byte steps along the axes.
    #[inline]
    pub fn strides(&self) -> &[isize] {
        &self.view.layout().strides
    }

    /// The element type.
    #[inline]
    pub fn dtype(&self) -> DType {
        self.view.dtype()
    }

    /// The number of dimensions.
    #[inline]
    pub fn ndim(&self) -> usize {
        self.view.layout().ndim()
    }

    /// The number of elements.
    #[inline]
    pub fn size(&self) -> usize {
        self.view.layout().size()
    }

    /// The device that holds the elements.
    #[inline]
    pub fn device(&self) -> DeviceRef {
        self.view.storage().device()
    }

    /// Whether the elements are contiguous in C order.
    pub fn is_contiguous(&self) -> bool {
        self.layout().is_contiguous(self.dtype().size())
    }

    /// Whether the elements are contiguous in Fortran order.
    pub fn is_fortran(&self) -> bool {
        self.layout().is_fortran(self.dtype().size())
    }

    /// Whether the array may be written.
    pub fn is_writeable(&self) -> bool {
        self.writeable
    }

    /// The same view with its `writeable` flag set.
    pub fn with_writeable(mut self, writeable: bool) -> Array {
        self.writeable = writeable;
        self
    }

    /// An error naming `op` unless the array may be written.
    pub(crate) fn check_writeable(&self, op: &'static str) -> Result<()> {
        if self.writeable { Ok(()) } else { Err(Error::value(op, "assignment destination is read-only")) }
    }

    /// Whether nothing else refers to the storage. An in-place op may then replace the array by its result.
    pub(crate) fn is_sole_owner(&self) -> bool {
        Arc::strong_count(self.view.storage()) == 1
            && self.view.layout().offset == 0
            && self.view.storage().bytes() == self.size() * self.dtype().size()
            && self.layout().is_dense(self.dtype().size())
    }

    /// Whether memory has room for a second array of this size. Where it has not, an in-place op writes into this
    /// one.
    pub(crate) fn leaves_room(&self) -> bool {
        let device = self.device();
        self.view.storage().bytes() <= device.memory_limit().saturating_sub(device.memory_used())
    }

    /// Whether two arrays are views of one storage.
    pub fn same_storage(&self, other: &Array) -> bool {
        Arc::ptr_eq(self.view.storage(), other.view.storage())
    }

    /// The same storage under another layout; writeable as this array is.
    ///
    /// # Panics
    /// If an element lies outside of the storage.
    pub fn with_layout(&self, layout: Layout) -> Array {
        Array { view: self.view.with_layout(layout), writeable: self.writeable }
    }

    /// The same bytes under another layout and dtype; writeable as this array is.
    ///
    /// # Panics
    /// If an element lies outside of the storage.
    pub fn with_layout_and_dtype(&self, layout: Layout, dtype: DType) -> Array {
        Array { view: View::new(self.view.storage().clone(), layout, dtype), writeable: self.writeable }
    }

    /// A view by basic indexing.
    ///
    /// ```
    /// use cuprum::{Array, Index};
    /// let a = Array::from_slice(&[1, 2, 3]);
    /// let last = a.index(&[Index::Int(-1)]).unwrap();
    /// assert_eq!(last.item::<i32>().unwrap(), 3);
    /// ```
    pub fn index(&self, items: &[Index]) -> Result<Array> {
        Ok(self.with_layout(self.layout().index("index", items)?))
    }

    /// The elements in another dtype; a new array, in K order.
    ///
    /// ```
    /// use cuprum::{Array, DType};
    /// let a = Array::from_slice(&[1.7, -1.7]).astype(DType::I32).unwrap();
    /// assert_eq!(a.to_vec::<i32>().unwrap(), vec![1, -1]);
    /// ```
    pub fn astype(&self, dtype: DType) -> Result<Array> {
        self.astype_ordered(dtype, Order::K)
    }

    /// The elements in another dtype and order; always a new array.
    pub fn astype_ordered(&self, dtype: DType, order: Order) -> Result<Array> {
        // A broadcast view may show more elements than memory can hold.
        creation::checked_size(self.device(), "astype", self.shape(), dtype.size())?;
        let layout = self.layout().copied(self.dtype().size(), dtype.size(), order);
        Ok(Array::from_view(converted(&self.view, dtype, layout)?))
    }

    /// A copy in an order of axes.
    pub fn copy(&self, order: Order) -> Result<Array> {
        self.astype_ordered(self.dtype(), order)
    }

    /// This array if it is contiguous in C order, else a copy that is.
    pub fn contiguous(&self) -> Result<Array> {
        if self.is_contiguous() { Ok(self.clone()) } else { self.copy(Order::C) }
    }

    /// A copy on another device, in K order; this array itself if it is on that device.
    ///
    /// ```
    /// use cuprum::Array;
    /// let a = Array::from_slice(&[1, 2]).to_device(cuprum::cpu()).unwrap();
    /// assert_eq!(a.device().name(), "cpu");
    /// ```
    pub fn to_device(&self, device: DeviceRef) -> Result<Array> {
        if same_device(self.device(), device) {
            return Ok(self.clone());
        }
        let size = self.dtype().size();
        let dense = if self.layout().is_dense(size) { self.clone() } else { self.copy(Order::K)? };
        let layout = dense.layout().copied(size, size, Order::K);
        let (source, start) = (dense.force()?, dense.layout().extent(size).0);
        let bytes = self.size() * size;
        let target = device.allocate(bytes)?;
        device.receive(&target, 0, bytes, self.device(), &source, start)?;
        Ok(Array::from_buffer(device, target, layout, self.dtype()))
    }

    /// The array's memory. Pending work that it depends on runs first.
    pub fn force(&self) -> Result<Buffer> {
        self.view.storage().force()
    }

    /// The bytes of the elements in C order.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        // An array that is not dense is copied first, and the copy is refused where it cannot fit the machine's memory.
        // Host memory may be granted by the system that ends the process once it is written.
        let dense = self.contiguous()?;
        let mut bytes = try_filled(dense.size().saturating_mul(dense.dtype().size()), 0)?;
        dense.read_into(&mut bytes)?;
        Ok(bytes)
    }

    /// Copies the bytes of the elements, in C order, into memory of exactly that size.
    pub fn read_into(&self, bytes: &mut [u8]) -> Result<()> {
        // A view of no elements may begin behind its memory.
        if bytes.is_empty() {
            return Ok(());
        }
        let dense = self.contiguous()?;
        let buffer = dense.force()?;
        count_to_host(bytes.len());
        let span = Span::begin_over(self.device(), bytes.len());
        self.device().download(&buffer, dense.layout().offset, bytes)?;
        span.end(|| Event::new(EventKind::ToHost, "array").on(self.device()).bytes(bytes.len()));
        Ok(())
    }

    /// Writes the bytes of all elements, in C order, into an array that is contiguous in C order.
    ///
    /// ```
    /// use cuprum::Array;
    /// let a = Array::from_slice(&[1u8, 2]);
    /// a.overwrite(&[7, 8]).unwrap();
    /// assert_eq!(a.to_vec::<u8>().unwrap(), vec![7, 8]);
    /// ```
    pub fn overwrite(&self, bytes: &[u8]) -> Result<()> {
        self.check_writeable("set")?;
        if !self.is_contiguous() || bytes.len() != self.size() * self.dtype().size() {
            return Err(Error::value("set", "the bytes do not fit the array"));
        }
        if bytes.is_empty() {
            return Ok(());
        }
        let buffer = writable_buffer(&self.view)?;
        count_to_device(bytes.len());
        self.device().upload(&buffer, self.layout().offset, bytes)
    }

    /// The elements in C order; `T` must be the Rust type of the dtype.
    ///
    /// ```
    /// use cuprum::Array;
    /// assert_eq!(Array::from_slice(&[1u8, 2]).to_vec::<u8>().unwrap(), vec![1, 2]);
    /// ```
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>> {
        if T::DTYPE != self.dtype() {
            return Err(Error::type_error("to_vec", format!("array is {}, not {}", self.dtype(), T::DTYPE)));
        }
        let bytes = self.to_bytes()?;
        let mut elements = try_with_capacity(self.size())?;
        elements.extend(bytes.chunks_exact(T::DTYPE.size()).map(T::read));
        Ok(elements)
    }

    /// The only element.
    pub fn scalar(&self) -> Result<Scalar> {
        let span = Span::begin_over(self.device(), 1);
        let scalar = self.read_single()?;
        count_to_host(self.dtype().size());
        span.end(|| Event::new(EventKind::ToHost, "element").on(self.device()).bytes(self.dtype().size()));
        Ok(scalar)
    }

    fn read_single(&self) -> Result<Scalar> {
        if self.size() != 1 {
            return Err(Error::value("item", "can only convert an array of size 1 to a scalar"));
        }
        let mut bytes = [0; 16];
        let mut read = |view: &View| {
            let buffer = view.storage().force()?;
            let bytes = &mut bytes[..view.dtype().size()];
            self.device()
                .download(&buffer, view.layout().offset, bytes)
                .map_err(|error| error.recording_in("item"))
        };
        // An element that indexing has returned but not copied yet is read in place. A write to its source copies it
        // first; then the copy is read.
        let storage = self.view.storage();
        let lies_elsewhere = match storage.node().as_deref() {
            Some(Node { kind: NodeKind::Cast, args, layout, dtype, .. }) if layout.size() == 1 => {
                match &args[..] {
                    [NodeArg::View(source)] if source.dtype() == *dtype && *dtype == self.dtype() => {
                        read(source)?;
                        storage.node().is_some()
                    }
                    _ => false,
                }
            }
            _ => false,
        };
        if !lies_elsewhere {
            read(&self.view)?;
        }
        Ok(Scalar::from_bytes(self.dtype(), &bytes))
    }

    /// The only element, as the Rust type of the dtype.
    pub fn item<T: Element>(&self) -> Result<T> {
        if T::DTYPE != self.dtype() {
            return Err(Error::type_error("item", format!("array is {}, not {}", self.dtype(), T::DTYPE)));
        }
        Ok(T::read(self.scalar()?.bytes()))
    }

    /// The shape as an owned value.
    pub fn dims(&self) -> Dims {
        self.layout().shape.clone()
    }
}
