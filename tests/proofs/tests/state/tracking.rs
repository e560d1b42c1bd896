//! Recorded changes lead to the same document as comparing everything.

use agui_proofs::patching::{Session, Shadowed};
use agui_proofs::zoo::{Board, Source, change};
use agui_runtime::State;
use agui_runtime::state::Live;
use proptest::prelude::*;

use crate::cases;

/// Three receivers of the same changes: two use the marks, one of them within a budget, and one compares with a copy
/// that has none. Marks are for one receiver, so there are two boards.
fn keep_up(source: &mut Source<'_>, steps: usize) {
    let mut board = Board::full(source);
    let mut other = unmarked(&board);
    let mut tracked = Session::new(&board);
    let mut compared = Session::new(&unmarked(&board));
    let mut budgeted = Shadowed::new(&other);
    for _ in 0..steps {
        for _ in 0..source.below(5) {
            change(&mut other, &mut source.clone());
            change(&mut board, source);
        }
        let by_marks = tracked.flush(&board);
        let by_comparing = compared.flush(&unmarked(&board));
        assert_eq!(by_marks.after, by_comparing.after);
        assert_eq!(by_marks.ops == 0, by_comparing.ops == 0);
        let text = serde_json::to_string(&other).unwrap();
        let context = || format!("\nto {other:?}\npatch {}", by_marks.patch);
        budgeted.flush(&other, &text, by_marks.patch.len(), &context);
    }
}

/// The same value, made again without marks.
fn unmarked(board: &Live<Board>) -> Live<Board> {
    let mut made: Live<Board> = copied(board);
    made.unseen = board.unseen;
    made
}

fn copied<T: State>(value: &T) -> T {
    serde_json::from_str(&serde_json::to_string(value).unwrap()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn marks_miss_nothing(bytes in prop::collection::vec(any::<u8>(), 0..1500)) {
        keep_up(&mut Source::of(&bytes).readable(), 12);
    }
}

#[test]
fn marks_miss_nothing_in_many_turns() {
    for seed in 0..cases(900).div_ceil(30) as u64 {
        keep_up(&mut Source::seeded(77 + seed).readable(), 30);
    }
}

#[test]
fn only_what_was_touched_is_compared() {
    let mut board = Board::full(&mut Source::seeded(5).readable());
    let mut session = Session::new(&board);
    *board.edit().version += 1;
    let flush = session.flush(&board);
    assert_eq!(flush.patch, r#"[{"op":"add","path":"/version","value":1}]"#);
    board.edit().cards.push(agui_proofs::zoo::Card::default());
    let flush = session.flush(&board);
    assert!(flush.patch.starts_with(r#"[{"op":"add","path":"/cards/-","value":{"#), "{}", flush.patch);
    board.edit().log.push("token ");
    let flush = session.flush(&board);
    assert_eq!(flush.patch, r#"[{"op":"add","path":"/log/-","value":"token "}]"#);
}
