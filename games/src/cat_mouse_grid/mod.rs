//! Cat and Mouse II: a pursuit on a grid, with jumps (LeetCode 1728).
//!
//! A mouse and a cat move in turns on the free cells of a grid, the mouse first. A move is a jump
//! in one of four directions, of at most the animal's length, over anything but walls; staying put
//! is a move too. The cat wins when it is where the mouse is, or at the food; the mouse wins when
//! it is at the food. Endless play is a win for the cat, and so is a mouse that needs more plies
//! than the limit.

mod grid;
mod options;

use retrograde::scene::{Kit, Piece, Scene};
use retrograde::{Game, Indexed, Notation, NotationError, Numbered, Outcome, Player, scheme};
use serde::{Deserialize, Serialize};

use crate::pursuit::{self, CAT, Chase, MOUSE};
use crate::shared;
pub use grid::{Cells, GridError, MOST_CELLS};
pub use options::CatMouseGridOptions;

/// The most cells, walls included, of a grid that is drawn: more would be too small to tell apart.
const MOST_DRAWN: usize = 1024;

/// The parameters of a game of Cat and Mouse II.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CatMouseGridParameters {
    /// The rows of the grid, from the top: `#` a wall, `.` a free cell, and one cell each with the
    /// cat `C`, the mouse `M` and the food `F`.
    pub grid: Vec<String>,
    /// The greatest length of the cat's jumps, in cells, at least 1.
    pub cat_jump: u32,
    /// The greatest length of the mouse's jumps, in cells, at least 1.
    pub mouse_jump: u32,
    /// The number of plies that the mouse may take to win.
    pub ply_limit: u32,
}

/// Cat and Mouse on a grid.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "CatMouseGridParameters", into = "CatMouseGridParameters")]
pub struct CatMouseGrid {
    parameters: CatMouseGridParameters,
    cells: Cells,
    start: Chase,
    food: u16,
}

impl CatMouseGrid {
    /// The game with these parameters.
    ///
    /// # Errors
    /// The first thing that is wrong with them.
    pub fn new(parameters: CatMouseGridParameters) -> Result<CatMouseGrid, GridError> {
        for (animal, jump) in [("cat", parameters.cat_jump), ("mouse", parameters.mouse_jump)] {
            if jump == 0 {
                return Err(GridError::NoJump(animal));
            }
        }
        let (cells, [cat, mouse, food]) = Cells::new(&parameters.grid, ['C', 'M', 'F'])?;
        let start = Chase { mouse, cat, turn: MOUSE };
        Ok(CatMouseGrid { parameters, cells, start, food })
    }

    fn jump(&self, player: Player) -> u32 {
        if player == MOUSE { self.parameters.mouse_jump } else { self.parameters.cat_jump }
    }

    fn write_cell(&self, cell: u16) -> String {
        self.cells.grid().name(self.cells.place(cell))
    }

    fn parse_cell(&self, text: &str) -> Result<u16, NotationError> {
        let cell = self.cells.at(self.cells.grid().cell_named(text)?);
        cell.ok_or_else(|| NotationError::new(format!("\"{text}\" is a wall")))
    }

    /// Whether the grid is small enough to be drawn.
    fn is_drawn(&self) -> bool {
        self.cells.grid().cells() <= MOST_DRAWN
    }
}

impl Game for CatMouseGrid {
    type State = Chase;
    const PREDECESSORS: bool = true;
    const DISTINCT: bool = true;

    #[inline]
    fn turn(&self, state: &Chase) -> Player {
        state.turn
    }

    #[inline]
    fn terminal(&self, state: &Chase) -> Option<Outcome> {
        if state.cat == state.mouse || state.cat == self.food {
            Some(Outcome::Win(CAT))
        } else if state.mouse == self.food {
            Some(Outcome::Win(MOUSE))
        } else {
            None
        }
    }

    #[inline]
    fn moves(&self, state: &Chase, mut visit: impl FnMut(Chase)) {
        let mover = state.turn;
        self.cells.within(state.place(mover), self.jump(mover), |to| {
            visit(state.with(mover, to, mover.opponent()));
        });
    }

    /// Jumps can be taken back: no wall is between, from either side.
    #[inline]
    fn predecessors(&self, state: &Chase, mut visit: impl FnMut(Chase)) {
        let moved = state.turn.opponent();
        self.cells.within(state.place(moved), self.jump(moved), |from| {
            visit(state.with(moved, from, moved));
        });
    }

    fn roots(&self) -> impl IntoIterator<Item = Chase> {
        [self.start]
    }

    fn endless(&self) -> Outcome {
        Outcome::Win(CAT)
    }

    fn ply_limit(&self) -> Option<u32> {
        Some(self.parameters.ply_limit)
    }
}

/// Both on any two free cells, or on the same, either to move.
impl Indexed for CatMouseGrid {
    #[inline]
    fn len(&self) -> u64 {
        let cells = self.cells.len() as u64;
        cells * cells * 2
    }

    #[inline]
    fn index(&self, state: &Chase) -> u64 {
        let placement = u64::from(state.mouse) * self.cells.len() as u64 + u64::from(state.cat);
        placement * 2 + state.turn.index() as u64
    }

    #[inline]
    fn unindex(&self, index: u64) -> Option<Chase> {
        let cells = self.cells.len() as u64;
        let (placement, turn) = (index / 2, Player::BOTH[(index % 2) as usize]);
        Some(Chase { mouse: (placement / cells) as u16, cat: (placement % cells) as u16, turn })
    }
}

/// A piece of cheese: a path in a square of 100 by 100, whose gaps run the other way round.
const CHEESE: &str = "M8 60L78 20Q92 38 92 60zM8 66H92V86H8zM60 46a6 6 0 1 0 12 0a6 6 0 1 0 -12 0z \
    M35 76a5 5 0 1 0 10 0a5 5 0 1 0 -10 0zM68 77a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z";

impl Notation for CatMouseGrid {
    fn player(&self, player: Player) -> &str {
        pursuit::name(player)
    }

    fn rules(&self) -> Option<String> {
        let CatMouseGridParameters { cat_jump, mouse_jump, ply_limit, .. } = &self.parameters;
        let [cat, mouse] =
            [cat_jump, mouse_jump].map(|&cells| shared::number_of(cells, "cell", "cells"));
        let limit = shared::number_of(*ply_limit, "ply", "plies");
        Some(format!(
            "A mouse and a cat are on a grid with walls and food. They move in turns, the mouse first. \
             A move is a jump in a straight line over free cells, or none. The mouse jumps at most \
             {mouse}, the cat at most {cat}. The mouse wins if it comes to the food. The cat wins if \
             it comes to the food first or catches the mouse. If the mouse has not won after {limit}, \
             the cat wins, and so it does if play never ends. Such a win is shown without a number of \
             plies."
        ))
    }

    fn write_state(&self, state: &Chase) -> String {
        pursuit::write(state, |cell| self.write_cell(cell))
    }

    fn parse_state(&self, text: &str) -> Result<Chase, NotationError> {
        pursuit::parse(self, text, |cell| self.parse_cell(cell))
    }

    fn write_move(&self, from: &Chase, to: &Chase) -> String {
        let mover = from.turn;
        let [from, to] = [from, to].map(|state| self.write_cell(state.place(mover)));
        let name = pursuit::name(mover);
        if from == to { format!("{name} stays") } else { format!("{name} {from}-{to}") }
    }

    /// The grid with the two where they are; `X` is the cat on the mouse.
    fn draw(&self, state: &Chase) -> String {
        let rows = self.cells.grid().with_letters("#XMCF").write(|place, kind| {
            let Some(cell) = self.cells.at(place) else { return kind == 0 };
            let [mouse, cat] = [cell == state.mouse, cell == state.cat];
            [false, mouse && cat, mouse, cat, cell == self.food][kind]
        });
        format!("{}\n{} to move", rows.replace('/', "\n"), pursuit::name(state.turn))
    }

    /// The grid, if it has at most 1,024 cells.
    fn scene(&self, state: &Chase) -> Option<Scene> {
        if !self.is_drawn() {
            return None;
        }
        let grid = self.cells.grid();
        let mut scene = Scene::new();
        for place in 0..grid.cells() {
            let (column, row) = grid.place(place);
            let (x, y) = (column, row);
            match self.cells.at(place) {
                Some(_) => scene.cell(x, y, &grid.name(place)),
                None => scene.wall(x, y, &grid.name(place)),
            };
        }
        grid.label(&mut scene, 1);
        scene.put(self.cells.place(self.food), Piece::mark("", "food").with_path(CHEESE));
        for player in Player::BOTH {
            scene.put(self.cells.place(state.place(player)), pursuit::animal(player));
        }
        Some(scene)
    }

    fn kit(&self) -> Kit {
        pursuit::kit()
    }

    fn set_up(&self, scene: &Scene, turn: Player) -> Result<Chase, NotationError> {
        pursuit::set_up(scene, turn, |place, player| {
            let cell = self.cells.at(place);
            cell.ok_or_else(|| format!("the {} can't be on a wall", pursuit::name(player)))
        })
    }

    /// From where to where; an animal that stays is touched twice.
    fn move_places(&self, from: &Chase, to: &Chase) -> Vec<usize> {
        let place = |state: &Chase| self.cells.place(state.place(from.turn));
        if self.is_drawn() { vec![place(from), place(to)] } else { Vec::new() }
    }

    fn with_other_mover(&self, state: &Chase) -> Option<Chase> {
        Some(Chase { turn: state.turn.opponent(), ..*state })
    }
}

impl Numbered for CatMouseGrid {
    type Numberings = scheme::Dense;
}

shared::shipped! {
    CatMouseGrid, "cat-mouse-grid": "Cat and Mouse II, on a grid and with jumps (LeetCode 1728)",
    example: "--grid '[\"M.C...F\"]' --cat-jump 1 --mouse-jump 4",
    states: "mouse's cell, cat's cell, who moves, with rows and columns from 0: r0c0,r0c2,mouse",
    parameters: CatMouseGridParameters,
    made: CatMouseGrid::new, GridError,
    kept: |game| game.parameters,
    options: CatMouseGridOptions, CatMouseGridOptions::game,
}
