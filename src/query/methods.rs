//! The methods of `Query` as methods of the types that can be probed.

/// Gives a type the methods of [`Query`], so that nobody has to import the trait.
macro_rules! query_methods {
    ($type:ident) => {
        impl<G: Game> crate::query::sealed::Sealed for $type<'_, G> {}

        impl<G: Game> $type<'_, G> {
            /// The value of a state, for the player to move, without regard to a ply limit: see
            /// [`Query::value`](crate::Query::value).
            ///
            /// # Errors
            /// When the state is not in the table, or the table stores only outcomes or can't be
            /// read.
            pub fn value(&self, state: &G::State) -> Result<Value, QueryError> {
                Query::value(self, state)
            }

            /// The values of many states, in the order of `states`: see
            /// [`Query::values`](crate::Query::values).
            ///
            /// # Errors
            /// As [`value`](Self::value), for any of the states.
            pub fn values(&self, states: &[G::State]) -> Result<Vec<Value>, QueryError> {
                Query::values(self, states)
            }

            /// Who wins from a state, and in how many plies if that is known: see
            /// [`Query::verdict`](crate::Query::verdict).
            ///
            /// # Errors
            /// When the state is not in the table, or the table can't be read.
            pub fn verdict(
                &self,
                state: &G::State,
            ) -> Result<crate::game::value::Verdict, QueryError> {
                Query::verdict(self, state)
            }

            /// The states that the legal moves lead to, best first: see
            /// [`Query::moves`](crate::Query::moves).
            ///
            /// # Errors
            /// As [`verdict`](Self::verdict).
            pub fn moves(
                &self,
                state: &G::State,
            ) -> Result<Vec<crate::query::Assessed<G::State>>, QueryError> {
                Query::moves(self, state)
            }

            /// The [`moves`](Self::moves) of a state, and how many of them are equally good and
            /// better than all others.
            ///
            /// # Errors
            /// As [`verdict`](Self::verdict).
            pub fn ranked_moves(
                &self,
                state: &G::State,
            ) -> Result<crate::query::RankedMoves<G::State>, QueryError> {
                Query::ranked_moves(self, state)
            }

            /// Best play from a state to the end: see [`Query::line`](crate::Query::line).
            ///
            /// # Errors
            /// As [`value`](Self::value).
            pub fn line(
                &self,
                state: &G::State,
            ) -> Result<crate::query::Line<G::State>, QueryError> {
                Query::line(self, state)
            }

            /// Best play from a state, at most this many plies of it.
            ///
            /// # Errors
            /// As [`value`](Self::value).
            pub fn line_within(
                &self,
                state: &G::State,
                plies: usize,
            ) -> Result<crate::query::Line<G::State>, QueryError> {
                Query::line_within(self, state, plies)
            }

            /// The index and the value of a state: see
            /// [`Query::index_and_value`](crate::Query::index_and_value).
            ///
            /// # Errors
            /// As [`value`](Self::value).
            pub fn index_and_value(&self, state: &G::State) -> Result<(u64, Value), QueryError> {
                Query::index_and_value(self, state)
            }

            /// The index of a state, and its value without the distance.
            ///
            /// # Errors
            /// As [`verdict`](Self::verdict).
            pub fn index_and_kind(
                &self,
                state: &G::State,
            ) -> Result<(u64, crate::query::ValueKind), QueryError> {
                Query::index_and_kind(self, state)
            }

            /// Visits the states with a wanted value in the order of their indices, until `visit`
            /// returns `Break`: see
            /// [`Query::for_each_with_value`](crate::Query::for_each_with_value).
            ///
            /// # Errors
            /// When the table stores only outcomes, or can't be read.
            pub fn for_each_with_value(
                &self,
                wanted: impl Fn(Value) -> bool,
                mut visit: impl FnMut(u64, G::State, Value) -> std::ops::ControlFlow<()>,
            ) -> Result<(), QueryError> {
                Query::for_each_with_value(self, &wanted, &mut visit)
            }

            /// Visits the states with a wanted value in a range of indices, as
            /// [`for_each_with_value`](Self::for_each_with_value) does.
            ///
            /// # Errors
            /// As [`for_each_with_value`](Self::for_each_with_value).
            pub fn for_each_with_value_in(
                &self,
                indices: Range<u64>,
                wanted: impl Fn(Value) -> bool,
                mut visit: impl FnMut(u64, G::State, Value) -> std::ops::ControlFlow<()>,
            ) -> Result<(), QueryError> {
                Query::for_each_with_value_in(self, indices, &wanted, &mut visit)
            }

            /// Whether distances are known, and not only outcomes.
            #[must_use]
            pub fn has_distances(&self) -> bool {
                Query::has_distances(self)
            }
        }
    };
}

pub(crate) use query_methods;
