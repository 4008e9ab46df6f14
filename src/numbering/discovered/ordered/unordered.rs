//! Keys that have no code, and so are never in order.

use std::ops::Range;
use std::sync::Arc;

use crate::error::SolveError;
use crate::numbering::discovered::ordered::{AllRuns, BucketRuns, Change, KeyRoom, OrderedKeys};
use crate::numbering::discovered::{CodedKeys, KeyFiles};

/// The ordered keys of an encoding that has no code.
#[derive(Debug)]
pub enum Unordered {}

impl<K> OrderedKeys<K> for Unordered {
    const HAVE_CODE: bool = false;

    fn new(_: &KeyRoom) -> Option<Self> {
        None
    }

    fn of(_: [Vec<K>; 3], _: &KeyRoom) -> Option<Result<Self, SolveError>> {
        None
    }

    fn buckets(&self) -> usize {
        match *self {}
    }

    fn has_gathered(&self) -> bool {
        match *self {}
    }

    fn bucket_of(&self, _: &K) -> usize {
        match *self {}
    }

    fn gather(&self, _: usize, _: &[K]) -> Result<Change, SolveError> {
        match *self {}
    }

    fn settle(&self, _: usize, _: bool) -> Result<Change, SolveError> {
        match *self {}
    }

    fn lens(&self, _: usize) -> [u64; 2] {
        match *self {}
    }

    fn len(&self) -> u64 {
        match *self {}
    }

    fn copy(&self, _: usize, _: Range<usize>, _: &mut Vec<K>) {
        match *self {}
    }

    fn is_uneven(&self) -> bool {
        match *self {}
    }

    fn even_bounds(&self) -> Vec<K> {
        match *self {}
    }

    fn cut(&self, _: &[K], _: usize) -> Result<[CodedKeys<K>; 3], SolveError> {
        match *self {}
    }

    fn recut(&self, _: Vec<K>, _: Vec<[CodedKeys<K>; 3]>) -> Self {
        match *self {}
    }

    fn runs(&mut self) -> (&[K], AllRuns<'_, K>) {
        match *self {}
    }

    fn of_runs(_: Vec<K>, _: Vec<BucketRuns<Vec<CodedKeys<K>>>>) -> Option<Self> {
        None
    }

    fn kept(
        &self,
        _: &dyn Fn(&K) -> bool,
        _: Option<&Arc<KeyFiles>>,
    ) -> Result<[CodedKeys<K>; 3], SolveError> {
        match *self {}
    }

    fn joined(
        _: Vec<[CodedKeys<K>; 3]>,
        _: Option<&Arc<KeyFiles>>,
    ) -> Result<Option<Self>, SolveError> {
        Ok(None)
    }

    fn set_room(&mut self, _: &KeyRoom) {
        match *self {}
    }

    fn bytes(&self) -> u64 {
        match *self {}
    }

    fn into_keys(self) -> Result<CodedKeys<K>, SolveError> {
        match self {}
    }

    fn into_list(self, _: usize) -> Result<Vec<K>, SolveError> {
        match self {}
    }
}
