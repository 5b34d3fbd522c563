"""CUDA's constants under CUDA's own names, `cuda` before them, as programs written for CuPy spell them."""

from __future__ import annotations

__all__ = [
    "CUDA_C_16F",
    "CUDA_C_32F",
    "CUDA_C_64F",
    "CUDA_C_8I",
    "CUDA_C_8U",
    "CUDA_R_16BF",
    "CUDA_R_16F",
    "CUDA_R_32F",
    "CUDA_R_64F",
    "CUDA_R_8I",
    "CUDA_R_8U",
    "cudaAddressModeBorder",
    "cudaAddressModeClamp",
    "cudaAddressModeMirror",
    "cudaAddressModeWrap",
    "cudaArrayDefault",
    "cudaArraySurfaceLoadStore",
    "cudaChannelFormatKindFloat",
    "cudaChannelFormatKindNone",
    "cudaChannelFormatKindSigned",
    "cudaChannelFormatKindUnsigned",
    "cudaCpuDeviceId",
    "cudaFilterModeLinear",
    "cudaFilterModePoint",
    "cudaInvalidDeviceId",
    "cudaIpcMemLazyEnablePeerAccess",
    "cudaLimitDevRuntimePendingLaunchCount",
    "cudaLimitDevRuntimeSyncDepth",
    "cudaLimitMallocHeapSize",
    "cudaLimitMaxL2FetchGranularity",
    "cudaLimitPrintfFifoSize",
    "cudaLimitStackSize",
    "cudaMemAdviseSetAccessedBy",
    "cudaMemAdviseSetPreferredLocation",
    "cudaMemAdviseSetReadMostly",
    "cudaMemAdviseUnsetAccessedBy",
    "cudaMemAdviseUnsetPreferredLocation",
    "cudaMemAdviseUnsetReadMostly",
    "cudaMemAllocationTypePinned",
    "cudaMemAttachGlobal",
    "cudaMemAttachHost",
    "cudaMemAttachSingle",
    "cudaMemHandleTypeNone",
    "cudaMemHandleTypePosixFileDescriptor",
    "cudaMemLocationTypeDevice",
    "cudaMemLocationTypeHost",
    "cudaMemLocationTypeHostNuma",
    "cudaMemLocationTypeHostNumaCurrent",
    "cudaMemLocationTypeInvalid",
    "cudaMemPoolAttrReleaseThreshold",
    "cudaMemPoolAttrReservedMemCurrent",
    "cudaMemPoolAttrReservedMemHigh",
    "cudaMemPoolAttrUsedMemCurrent",
    "cudaMemPoolAttrUsedMemHigh",
    "cudaMemPoolReuseAllowInternalDependencies",
    "cudaMemPoolReuseAllowOpportunistic",
    "cudaMemPoolReuseFollowEventDependencies",
    "cudaMemoryTypeDevice",
    "cudaMemoryTypeHost",
    "cudaMemoryTypeManaged",
    "cudaMemoryTypeUnregistered",
    "cudaReadModeElementType",
    "cudaReadModeNormalizedFloat",
    "cudaResourceTypeArray",
    "cudaResourceTypeLinear",
    "cudaResourceTypeMipmappedArray",
    "cudaResourceTypePitch2D",
]

# Kinds of memory
cudaMemoryTypeUnregistered = 0
cudaMemoryTypeHost = 1
cudaMemoryTypeDevice = 2
cudaMemoryTypeManaged = 3

# Memory that processes share, and managed memory
cudaIpcMemLazyEnablePeerAccess = 1
cudaMemAttachGlobal = 1
cudaMemAttachHost = 2
cudaMemAttachSingle = 4
cudaCpuDeviceId = -1
cudaInvalidDeviceId = -2

# What `memAdvise` is told
cudaMemAdviseSetReadMostly = 1
cudaMemAdviseUnsetReadMostly = 2
cudaMemAdviseSetPreferredLocation = 3
cudaMemAdviseUnsetPreferredLocation = 4
cudaMemAdviseSetAccessedBy = 5
cudaMemAdviseUnsetAccessedBy = 6

# Types of elements, as CUDA's libraries number them
CUDA_R_32F = 0
CUDA_R_64F = 1
CUDA_R_16F = 2
CUDA_R_8I = 3
CUDA_C_32F = 4
CUDA_C_64F = 5
CUDA_C_16F = 6
CUDA_C_8I = 7
CUDA_R_8U = 8
CUDA_C_8U = 9
CUDA_R_16BF = 14

# Limits of a device
cudaLimitStackSize = 0
cudaLimitPrintfFifoSize = 1
cudaLimitMallocHeapSize = 2
cudaLimitDevRuntimeSyncDepth = 3
cudaLimitDevRuntimePendingLaunchCount = 4
cudaLimitMaxL2FetchGranularity = 5

# Elements, arrays and resources of textures
cudaChannelFormatKindSigned = 0
cudaChannelFormatKindUnsigned = 1
cudaChannelFormatKindFloat = 2
cudaChannelFormatKindNone = 3
cudaArrayDefault = 0
cudaArraySurfaceLoadStore = 2
cudaResourceTypeArray = 0
cudaResourceTypeMipmappedArray = 1
cudaResourceTypeLinear = 2
cudaResourceTypePitch2D = 3

# How a texture is read
cudaAddressModeWrap = 0
cudaAddressModeClamp = 1
cudaAddressModeMirror = 2
cudaAddressModeBorder = 3
cudaFilterModePoint = 0
cudaFilterModeLinear = 1
cudaReadModeElementType = 0
cudaReadModeNormalizedFloat = 1

# CUDA's own memory pools
cudaMemPoolReuseFollowEventDependencies = 1
cudaMemPoolReuseAllowOpportunistic = 2
cudaMemPoolReuseAllowInternalDependencies = 3
cudaMemPoolAttrReleaseThreshold = 4
cudaMemPoolAttrReservedMemCurrent = 5
cudaMemPoolAttrReservedMemHigh = 6
cudaMemPoolAttrUsedMemCurrent = 7
cudaMemPoolAttrUsedMemHigh = 8
cudaMemAllocationTypePinned = 1
cudaMemHandleTypeNone = 0
cudaMemHandleTypePosixFileDescriptor = 1
cudaMemLocationTypeInvalid = 0
cudaMemLocationTypeDevice = 1
cudaMemLocationTypeHost = 2
cudaMemLocationTypeHostNuma = 3
cudaMemLocationTypeHostNumaCurrent = 4
