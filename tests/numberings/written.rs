//! The written form of each part, and what is refused on reading.

use std::fmt::Debug;

use retrograde::index::{
    Arrangements, Combinations, Concatenated, DisjointSets, Divisor, Folded, MixedRadix,
    OnFreeCells, Orbits, Pairs, Ranking, Symmetries,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;

/// Writes a part, compares the text with `written`, and reads it again.
fn reread<T: Serialize + DeserializeOwned>(part: &T, written: serde_json::Value) -> T {
    let text = serde_json::to_string(part).unwrap();
    assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), written);
    serde_json::from_str(&text).unwrap()
}

/// Asserts that a part is unchanged when it is written and read.
fn assert_survives<R>(part: &R, written: serde_json::Value)
where
    R: Ranking<Item: Debug> + Serialize + DeserializeOwned,
{
    let read = reread(part, written);
    assert_eq!(read.len(), part.len());
    assert_eq!(read.board(), part.board());
    for index in 0..part.len() {
        let item = part.unrank(index);
        assert_eq!(read.unrank(index), item, "{index}");
        if let Some(item) = item {
            assert_eq!(read.rank(item), index);
        }
    }
}

/// The message that refuses nonsense.
fn refused<T: DeserializeOwned>(nonsense: serde_json::Value) -> String {
    match serde_json::from_value::<T>(nonsense) {
        Ok(_) => panic!("nonsense was read"),
        Err(error) => error.to_string(),
    }
}

/// A folding of two white stones that lead and a black stone, on a board of 3 x 3, and its written
/// form.
fn stones() -> (Folded<Combinations, OnFreeCells<Combinations>>, serde_json::Value) {
    let (board, written) = columns_and_rows();
    let white = Orbits::new(Combinations::new(9, 2).unwrap(), board).unwrap();
    let black = OnFreeCells::new(9, Combinations::new(7, 1).unwrap()).unwrap();
    let written = json!({
        "orbits": {
            "lead": { "cells": 9, "chosen": 2 },
            "symmetries": written,
            "representatives": null,
        },
        "rest": { "cells": 9, "numbering": { "cells": 7, "chosen": 1 } },
    });
    (Folded::new(white, black).unwrap(), written)
}

/// The symmetries of a board of 3 x 3 with different columns and rows: two reflections and the half
/// turn. Also their written form.
fn columns_and_rows() -> (Symmetries, serde_json::Value) {
    let generators = vec![vec![2, 1, 0, 5, 4, 3, 8, 7, 6], vec![6, 7, 8, 3, 4, 5, 0, 1, 2]];
    let board = Symmetries::new(9, &generators).unwrap();
    (board, json!({ "cells": 9, "generators": generators }))
}

#[test]
fn parts_are_written_as_their_numbers() {
    for (cells, chosen) in [(5, 2), (20, 3), (40, 2), (40, 39), (3, 4)] {
        let written = json!({ "cells": cells, "chosen": chosen });
        assert_survives(&Combinations::new(cells, chosen).unwrap(), written);
    }
    let men = Arrangements::new(9, [2, 0, 1]).unwrap();
    assert_survives(&men, json!({ "cells": 9, "counts": [2, 0, 1] }));
    // More pieces than cells.
    let none = Arrangements::new(3, [2, 5]).unwrap();
    assert_survives(&none, json!({ "cells": 3, "counts": [2, 5] }));
    assert_survives(&DisjointSets::new(6).unwrap(), json!({ "cells": 6 }));
    assert_survives(&MixedRadix::new([3, 0, 5]).unwrap(), json!({ "limits": [3, 0, 5] }));
    assert_survives(&MixedRadix::new([3, 2, 5]).unwrap(), json!({ "limits": [3, 2, 5] }));
    let turns = Pairs::new(Combinations::new(6, 2).unwrap(), MixedRadix::new([2]).unwrap());
    let written = json!({ "first": { "cells": 6, "chosen": 2 }, "second": { "limits": [2] } });
    assert_survives(&turns.unwrap(), written);
    let series =
        Concatenated::new(vec![DisjointSets::new(2).unwrap(), DisjointSets::new(3).unwrap()]);
    assert_survives(&series.unwrap(), json!({ "numberings": [{ "cells": 2 }, { "cells": 3 }] }));
    assert_eq!(reread(&Divisor::new(7), json!(7)).div_rem(100), (14, 2));
}

#[test]
fn symmetries_are_written_as_their_generators() {
    let (board, written) = columns_and_rows();
    let read = reread(&board, written);
    assert_eq!(read.order(), 4);
    for element in 0..4 {
        assert_eq!(read.images(element), board.images(element));
    }
}

#[test]
fn foldings_are_written_without_their_tables() {
    let (stones, written) = stones();
    assert_survives(&stones, written);
}

#[test]
fn orbits_of_accepted_items_are_written_with_their_representatives() {
    let board = Symmetries::rectangle(3, 3).unwrap();
    let without_centre = |set: u64| set & 1 << 4 == 0;
    let lead = Combinations::new(9, 1).unwrap();
    let orbits = Orbits::accepting(lead, board.clone(), without_centre).unwrap();
    let written = json!({
        "lead": { "cells": 9, "chosen": 1 },
        "symmetries": serde_json::to_value(&board).unwrap(),
        "representatives": [0, 1],
    });
    let read = reread(&orbits, written);
    assert_eq!(read.len(), 2);
    for cell in (0..9).filter(|&cell| cell != 4) {
        assert_eq!(read.locate(1 << cell), orbits.locate(1 << cell));
    }
    for index in 0..2 {
        assert_eq!(read.representative(index), orbits.representative(index));
        assert!(read.stabiliser(index).eq(orbits.stabiliser(index)));
    }
}

#[test]
fn numbers_that_make_no_sense_are_refused() {
    let message = refused::<Combinations>(json!({ "cells": 65, "chosen": 1 }));
    assert!(message.contains("65 cells: expected 64 at most"), "{message}");
    refused::<Combinations>(json!({ "cells": 9 }));
    refused::<Combinations>(json!({ "cells": 9, "chosen": 1, "parts": [] }));
    refused::<Combinations>(json!({ "cells": -1, "chosen": 1 }));
    let message = refused::<Arrangements<2>>(json!({ "cells": 9, "counts": [1, 2, 3] }));
    assert!(message.contains("a list of 3 numbers: expected 2"), "{message}");
    refused::<Arrangements<1>>(json!({ "cells": 65, "counts": [1] }));
    let message = refused::<Arrangements<2>>(json!({ "cells": 64, "counts": [20, 20] }));
    assert!(message.contains("more than 2^64 - 1 indices"), "{message}");
    refused::<DisjointSets>(json!({ "cells": 41 }));
    refused::<MixedRadix<2>>(json!({ "limits": [1_u64 << 32, 1_u64 << 32] }));
    refused::<MixedRadix<2>>(json!({ "limits": [7] }));
    refused::<Divisor>(json!(0));
    let half = json!({ "cells": 64, "chosen": 32 });
    refused::<Pairs<Combinations, Combinations>>(json!({ "first": half, "second": half }));
    refused::<Concatenated<Combinations>>(json!({ "numberings": vec![half; 11] }));
}

#[test]
fn symmetries_that_make_no_sense_are_refused() {
    refused::<Symmetries>(json!({ "cells": 65, "generators": [] }));
    refused::<Symmetries>(json!({ "cells": 4, "generators": [[0, 1, 2]] }));
    refused::<Symmetries>(json!({ "cells": 4, "generators": [[0, 1, 2, 4]] }));
    refused::<Symmetries>(json!({ "cells": 4, "generators": [[0, 1, 2, 2]] }));
    let all = json!({ "cells": 7, "generators": [[1, 0, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6, 0]] });
    let message = refused::<Symmetries>(all);
    assert!(message.contains("more than 1024 elements"), "{message}");
}

#[test]
fn foldings_that_make_no_sense_are_refused() {
    type Stones = Folded<Combinations, OnFreeCells<Combinations>>;
    let refused_with = |place: &str, value: serde_json::Value| {
        let (_, mut written) = stones();
        *written.pointer_mut(place).expect("a place") = value;
        refused::<Stones>(written)
    };
    let message = refused_with("/orbits/lead/cells", json!(16));
    assert!(message.contains("a board of 16 cells: expected one for 9 cells"), "{message}");
    refused_with("/orbits/symmetries/cells", json!(8));
    refused_with("/rest/cells", json!(65));
    refused_with("/rest/cells", json!(16));
    let message = refused_with("/rest/numbering/cells", json!(64));
    assert!(message.contains("a board of 64 cells: expected one for 7 cells"), "{message}");

    // Item 0 is the set of cells 0 and 1, and item 2 the set of cells 1 and 2. They are
    // reflections.
    for representatives in
        [json!([1, 0]), json!([0, 0]), json!([0, 36]), json!([0, 35]), json!([2])]
    {
        let message = refused_with("/orbits/representatives", representatives.clone());
        assert!(message.contains("is listed as a representative"), "{representatives}: {message}");
    }
    let (_, mut written) = stones();
    *written.pointer_mut("/orbits/representatives").expect("a place") = json!([0, 1]);
    assert_eq!(serde_json::from_value::<Stones>(written).unwrap().orbits().len(), 2);

    let huge = json!({
        "lead": { "cells": 64, "chosen": 32 },
        "symmetries": { "cells": 64, "generators": [] },
        "representatives": [],
    });
    let message = refused::<Orbits<Combinations>>(huge);
    assert!(message.contains("take fewer pieces as the leading part"), "{message}");
}
