//! Records of the calls in the trips of a loop, in a block that holds one entry after the other for
//! all trips, as long as a trip has few: neighbouring trips are neighbours in memory.

/// Entries of a trip beyond which its record stays together.
const FEW: usize = 16;

/// The records of a loop's trips, `N` entries each.
#[derive(Debug)]
pub struct TripsMut<'a, T, const N: usize> {
    lanes: [&'a mut [T]; N],
    rows: &'a mut [T],
}

impl<'a, T: Copy, const N: usize> TripsMut<'a, T, N> {
    /// Of `n` trips, in a block of `N * n` entries.
    ///
    /// # Panics
    /// If the block is shorter.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn new(block: &'a mut [T], n: usize) -> Self {
        let mut rest = &mut block[..N * n];
        let lanes = std::array::from_fn(|_| {
            if N > FEW {
                return <&mut [T]>::default();
            }
            let (lane, after) = std::mem::take(&mut rest).split_at_mut(n);
            rest = after;
            lane
        });
        TripsMut { lanes, rows: rest }
    }

    /// The record of a trip.
    ///
    /// # Panics
    /// If there are no more than `trip` trips.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn put(&mut self, trip: usize, record: &[T; N]) {
        if N > FEW {
            self.rows[trip * N..][..N].copy_from_slice(record);
        } else {
            for (lane, entry) in self.lanes.iter_mut().zip(record) {
                lane[trip] = *entry;
            }
        }
    }
}

/// What was put into [`TripsMut`].
#[derive(Clone, Copy, Debug)]
pub struct Trips<'a, T, const N: usize> {
    lanes: [&'a [T]; N],
    rows: &'a [T],
}

impl<'a, T: Copy + Default, const N: usize> Trips<'a, T, N> {
    /// Of `n` trips, in a block of `N * n` entries.
    ///
    /// # Panics
    /// If the block is shorter.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn new(block: &'a [T], n: usize) -> Self {
        let mut rest = &block[..N * n];
        let mut lanes: [&[T]; N] = [&[]; N];
        if N <= FEW {
            for lane in &mut lanes {
                (*lane, rest) = rest.split_at(n);
            }
        }
        Trips { lanes, rows: rest }
    }

    /// The record of a trip.
    ///
    /// # Panics
    /// If there are no more than `trip` trips.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn of(&self, trip: usize) -> [T; N] {
        let mut record = [T::default(); N];
        if N > FEW {
            record.copy_from_slice(&self.rows[trip * N..][..N]);
        } else {
            for (entry, lane) in record.iter_mut().zip(&self.lanes) {
                *entry = lane[trip];
            }
        }
        record
    }
}

/// How many numbers a call keeps of these arguments, each with its number and length, if the callee asks for them.
pub const fn kept(needs: &[bool], of: &[(usize, usize)]) -> usize {
    let (mut k, mut sum) = (0, 0);
    while k < of.len() {
        if needs[of[k].0] {
            sum += of[k].1;
        }
        k += 1;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::{Trips, TripsMut};

    fn comes_back<const N: usize>() {
        let n = 5;
        let mut block = vec![usize::MAX; N * n];
        let mut trips = TripsMut::<usize, N>::new(&mut block, n);
        let record = |trip: usize| std::array::from_fn(|k| 100 * trip + k);
        for trip in 0..n {
            trips.put(trip, &record(trip));
        }
        let trips = Trips::<usize, N>::new(&block, n);
        for trip in (0..n).rev() {
            assert_eq!(trips.of(trip), record(trip), "{N} entries, trip {trip}");
        }
    }

    #[test]
    fn records_come_back() {
        comes_back::<0>();
        comes_back::<1>();
        comes_back::<16>();
        comes_back::<17>();
        Trips::<usize, 3>::new(&[], 0);
    }
}
