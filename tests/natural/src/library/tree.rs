//! A tree of species.

pub enum Node {
    Leaf { bases: Vec<u8> },
    Inner { children: Vec<(usize, Box<Node>)> },
}

fn leaf(s: &str) -> Box<Node> {
    Box::new(Node::Leaf {
        bases: s.bytes().collect(),
    })
}

pub fn example() -> Node {
    let pair = Box::new(Node::Inner {
        children: vec![(0, leaf("ACGTTACN")), (1, leaf("ACGCTACG"))],
    });
    Node::Inner {
        children: vec![(2, pair), (3, leaf("ATGCTGCG")), (4, leaf("GTACTACC"))],
    }
}
