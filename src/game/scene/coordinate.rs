//! Numbers that say where something is on a picture.

/// A number that says where something is on a [`Scene`](crate::scene::Scene), in sides of a cell: of any
/// type that rows and columns are counted in.
pub trait Coordinate: sealed::Sealed {
    #[doc(hidden)]
    fn in_cells(self) -> f32;
}

mod sealed {
    pub trait Sealed {}
}

/// Makes coordinates of types of numbers.
macro_rules! coordinates {
    ($($number:ty)*) => {$(
        impl sealed::Sealed for $number {}

        impl Coordinate for $number {
            fn in_cells(self) -> f32 {
                self as f32
            }
        }
    )*};
}

coordinates!(f32 f64 i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

#[cfg(test)]
mod tests {
    use crate::game::scene::Scene;

    #[test]
    fn places_are_put_where_numbers_of_any_type_say() {
        let (mut one, mut other) = (Scene::new(), Scene::new());
        let (columns, rows) = (3_u32, 4_usize);
        one.reserve(columns, rows, "hand");
        one.point(1, 0.5, "point");
        other.reserve(3.0, 4.0, "hand");
        other.point(1.0_f32, 0.5_f32, "point");
        assert_eq!(one, other);
    }
}
