//! Plans that were used lately, few enough to be searched and small enough to be kept.

use std::sync::{Arc, Mutex, MutexGuard};

use crate::FftReal;
use crate::plan::{FftPlan, PlanKey};

/// The most plans that are kept of each precision.
const MAX_PLANS: usize = 64;
/// The most bytes that they may take together.
const MAX_BYTES: usize = 128 << 20;

/// The plans used lately, the latest last.
pub struct PlanCache<T: FftReal> {
    plans: Mutex<Vec<(PlanKey, Arc<FftPlan<T>>)>>,
}

impl<T: FftReal> PlanCache<T> {
    pub(crate) const fn new() -> PlanCache<T> {
        PlanCache { plans: Mutex::new(Vec::new()) }
    }

    /// The plan of a key, made by `make` where it is not kept.
    pub(crate) fn get<E>(
        &self,
        key: PlanKey,
        make: impl FnOnce() -> Result<FftPlan<T>, E>,
    ) -> Result<Arc<FftPlan<T>>, E> {
        {
            let mut plans = self.lock();
            if let Some(place) = plans.iter().rposition(|(kept, _)| *kept == key) {
                let last = plans.len() - 1;
                plans[place..=last].rotate_left(1);
                return Ok(plans[last].1.clone());
            }
        }
        // Made without the lock: a long plan takes as long as a transform.
        let plan = Arc::new(make()?);
        if plan.bytes() <= MAX_BYTES {
            let mut plans = self.lock();
            plans.retain(|(kept, _)| *kept != key);
            plans.push((key, plan.clone()));
            let mut bytes: usize = plans.iter().map(|(_, plan)| plan.bytes()).sum();
            while plans.len() > MAX_PLANS || bytes > MAX_BYTES {
                bytes -= plans.remove(0).1.bytes();
            }
        }
        Ok(plan)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(PlanKey, Arc<FftPlan<T>>)>> {
        self.plans.lock().unwrap_or_else(|e| e.into_inner())
    }

    #[cfg(test)]
    pub(crate) fn state(&self) -> (usize, usize) {
        let plans = self.lock();
        (plans.len(), plans.iter().map(|(_, plan)| plan.bytes()).sum())
    }
}
