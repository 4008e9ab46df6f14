//! Positions drawn at random: men anywhere, either side as White, and more captures en passant than
//! chance would give.

use kit::Random;

use super::mailbox::Mailbox;

/// A placement of the material without pawns on the first and last rank. It may be illegal.
pub(crate) fn placement(material: &str, random: &mut Random) -> Mailbox {
    let (stronger, weaker) = material.split_once('v').expect("two sides");
    let exchanged = random.below(2) == 1;
    let colours = [exchanged, !exchanged]
        .map(|is_black| move |man: char| if is_black { man.to_ascii_lowercase() } else { man });
    let mut board = [' '; 64];
    let white_moves = random.below(2) == 1;
    let mut en_passant = None;
    let mut men: Vec<char> = stronger.chars().map(colours[0]).collect();
    men.extend(weaker.chars().map(colours[1]));
    if men.contains(&'P') && men.contains(&'p') && random.below(2) == 0 {
        // A double step beside an enemy pawn, unless the code below puts men in its way.
        let (own, other, rank, ahead) =
            if white_moves { ('P', 'p', 4, 8_i64) } else { ('p', 'P', 3, -8) };
        let file = random.below(7);
        let [one, another] = [8 * rank + file, 8 * rank + file + 1];
        let swapped = random.below(2) == 1;
        let (pawn, capturer) = if swapped { (one, another) } else { (another, one) };
        board[pawn as usize] = other;
        board[capturer as usize] = own;
        en_passant = Some((pawn as i64 + ahead) as usize);
        for man in [own, other] {
            let at = men.iter().position(|&placed| placed == man).expect("a pawn");
            men.remove(at);
        }
    }
    for man in men {
        let is_pawn = man.eq_ignore_ascii_case(&'P');
        let (first, squares) = if is_pawn { (8, 48) } else { (0, 64) };
        // Sometimes on a long diagonal, which a reflection leaves unchanged.
        loop {
            let mut square = first + random.below(squares);
            if !is_pawn && random.below(3) == 0 {
                let at = random.below(8);
                square = if random.below(2) == 0 { 9 * at } else { 7 * at + 7 };
            }
            let far =
                en_passant.map(|target| (target as i64 + target as i64 / 32 * 16 - 8) as usize);
            let wanted = en_passant == Some(square as usize) || far == Some(square as usize);
            if board[square as usize] == ' ' && !wanted {
                board[square as usize] = man;
                break;
            }
        }
    }
    let mut position = Mailbox { board, white_moves, en_passant };
    position.keep_right_if_legal();
    position
}
