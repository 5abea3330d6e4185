//! The positions of `bench`. A change of any of them changes the signature.

/// From games between people, 50 to 24 empties.
pub const MIDGAME: [&str; 12] = [
    "----------X------OOOO-----XXXO----XXXX-----O-------------------- X",
    "------------OX------OXXO---OOOO---OOXOO----XXO------------------ X",
    "------------------OXX-X---OOXXX---OOOXO---OOXX-----OXX---------- O",
    "------------------XO-OOX--XXOOOX---XXXO----XXXOO---XXO-------X-- X",
    "-----------O------OOOOX---OOOO---XXXXOX---OXOOO----OXX----OX---- X",
    "--OX------OOOX----XXOOOO--XXOOOX-XXXOOX-----OO-X----O----------- X",
    "---X------OXX-----OXXOOO--XXOOOO--XXOOXO---OOOX---OOO-----O----- X",
    "-----------XXO-OO-XXXXO-OOXOOOO-OOOOOOOO---OOXO-----OX-------X-- X",
    "--OOOOO---OOXO----XOOOO---XOXOX---XOXXXX--XXOO----XOO-------OX-- X",
    "---O-------O-----OOOOOOXOOOXXXXX-OXXXXXX--OOXOXX---OOO-----OOO-- X",
    "----XX-----XXX----XXXXXX-OXXXOXX-OOXOOOX-OOOOOOO--XOOO----X-O--- X",
    "--------XO------XOOOOO--XOXXOO--XOOXOO--XOXOOOOOXOOOOO--XOOOOX-- X",
];

/// With their exact scores (OBF): the public hard-20 and FFO suites, 20 to 22
/// empties, then random positions of 14 to 18.
pub const ENDGAME: [&str; 16] = [
    "-OOO------OOOO--XXXOOXXX-XOOOXX-XXXXOOOOOXXOOOO---OXOO---OOOO--- X; E1:+0;",
    "--XXXXX---OXOX-X-OOOOOXX-X-OOOOXXXXXXXXX--OXXOO---XXXOOO--X--O-- X; C4:-8;",
    "--O-OX---OOOOX--XXOXXXXXXXXOXXXX-XXOOXXX-XXOXXXX---OOO-----OOO-- X; A1:-2;",
    "O-O------OXXX-X-OOOOOXOOOOXOXOOOOOOOOOO--OOXXOX---XOOO----XXOO-- X; H5:-4;",
    "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; A2:+38;",
    "--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X; G2:+6;",
    "OXXXXX--XXXOOOO-OXOXOOXXOOOOOXXXOOOOOXXXOO-XOXX---O-XX-O---OOX-- X; D7:-6;",
    "OOOOOOO-OXXXOO-OOXXOOOOOOXXOXOXOOOOOOXOOOXOO-OXOOX-OOX---------- X; G7:-2;",
    "----XXXO---XXXXOXX-XXXXO-XXOOXXO-XXXOXXO-OXOOOOO--XXXXXO--XXXXXO O; B7:+38;",
    "----OO-X--OOOOX--OOOXXXXOOOXXXXXXXXXOOXXOXOXOOXX--XXOO-X-XXXX-O- O; H2:-26;",
    "-O-XXX---OOX----XXOOXX-X-OXOOOXXOOXOOXOX-OOXXOOO-OOOOOO--XXXXXX- X; E2:+32;",
    "--OOXX--O-OOOX--OXXOXOX-OOOOXOOXOOOXXOOX-OOXOOOX--OOOO----OOOOO- X; B1:+38;",
    "--XXXXX---XXOXX-XXXOXXXOXXXXXXOO-OOXXXOOO--OXXOO---OOOXO----O-XX O; F8:-16;",
    "-----X----XOOX--O-XXXXXXOOXXXXXXOOOOXOXXOOOOXXOX--OOXXXO--OOOX-X O; G2:+4;",
    "-------O----X-OO-XXXXOXO--XXOOXO-XXOOOXO-XOOOOOOXOXXXXXOO-OOOOXO X; B8:-18;",
    "--XXXO-----XOO-X-OOOXOXXOOOOXOOX-OOOOOOX-OXOOOXX--OOOO-X--OOOO-- X; G1:+20;",
];
