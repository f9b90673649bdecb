/* The winner of a position of Quax on a small board, and the winning move.
 *
 * The same search as engines/quax/solver.py (depth-first proof-number search, Nagai 2002), in C so
 * that it reaches 5x5, with three additions: positions that mirror each other are one, new positions
 * start with numbers that grow with the stones that a side is short of a chain, and where the
 * opponent threatens a double threat only moves against it are examined.
 * Nothing here has to be trusted: the result is written as a certificate
 * (benchmarks/prove.py), which games/certificate.py checks by the rules alone.
 *
 * Sets of cells are as in games/quax/board.py. Each line of input is a position, its sets black, red,
 * rising and falling and the side to move as numbers; each line of output is "now" if a move wins at
 * once, "lost", or a winning move: 0 for a drop, 1 for a rising link, 2 for a falling one, and its bit.
 *
 *     cc -O2 -DSIZE=5 -o quax_solver quax_solver.c
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef uint32_t Set;
typedef struct { Set stones[2], rising, falling; int mover; } State;
typedef struct { Set bit; int kind; } Move;
typedef struct { Set drops, rising, falling; } Threats;
typedef struct { uint64_t stones, links; uint32_t won, lost; } Entry;

enum { UP = SIZE + 1, MOST = 96, DROP = 0, RISING = 1, FALLING = 2, UNKNOWN = 0, WIN = 1, LOSS = -1 };
#define PROVED 1000000000u
#define ROW ((1u << SIZE) - 1)

static Set all, blocks, sides[2][2], mirrored_row[1 << SIZE];
static Entry *table;
static uint64_t mask;

static Set step(Set group, Set stones, Set rising, Set falling) {
    Set wider = group | group << 1 | group >> 1 | group << UP | group >> UP;
    wider |= (group & rising) << (UP + 1) | (group >> (UP + 1) & rising);
    wider |= (group >> 1 & falling) << UP | (group >> UP & falling) << 1;
    return wider & stones;
}

static Set flood(Set group, Set stones, Set rising, Set falling) {
    for (Set wider; (wider = step(group, stones, rising, falling) | group) != group;) group = wider;
    return group;
}

static Threats links(const State *s, int seat, int useful) {
    Set own = s->stones[seat], free = blocks & ~(s->rising | s->falling);
    Threats found = {0, own & own >> (UP + 1) & free, own >> 1 & own >> UP & free};
    if (useful) {
        found.rising &= ~(own >> 1 | own >> UP);
        found.falling &= ~(own | own >> (UP + 1));
    }
    return found;
}

/* The immediate wins of the seat if it were on move. */
static Threats threats(const State *s, int seat) {
    Set stones = s->stones[seat], first = sides[seat][0], last = sides[seat][1];
    Set near = flood(stones & first, stones, s->rising, s->falling);
    Set far = flood(stones & last, stones, s->rising, s->falling);
    Set beside_near = near << 1 | near >> 1 | near << UP | near >> UP | first;
    Set beside_far = far << 1 | far >> 1 | far << UP | far >> UP | last;
    Threats found = links(s, seat, 0);
    found.drops = beside_near & beside_far & all & ~(s->stones[0] | s->stones[1]);
    found.rising &= (near & far >> (UP + 1)) | (far & near >> (UP + 1));
    found.falling &= (near >> UP & far >> 1) | (far >> UP & near >> 1);
    return found;
}

static int count(Threats t) {
    return __builtin_popcount(t.drops) + __builtin_popcount(t.rising) + __builtin_popcount(t.falling);
}

static int add(Move *moves, int length, Set bits, int kind) {
    for (; bits; bits &= bits - 1) moves[length++] = (Move){bits & -bits, kind};
    return length;
}

static int all_moves(const State *s, Move *moves) {
    Threats found = links(s, s->mover, 1);
    int length = add(moves, 0, all & ~(s->stones[0] | s->stones[1]), DROP);
    length = add(moves, add(moves, length, found.rising, RISING), found.falling, FALLING);
    if (length) return length;
    found = links(s, s->mover, 0); /* links that join nothing, for a side that has no other move */
    return add(moves, add(moves, 0, found.rising, RISING), found.falling, FALLING);
}

static State play(State s, Move move) {
    if (move.kind == DROP) s.stones[s.mover] |= move.bit;
    else if (move.kind == RISING) s.rising |= move.bit;
    else s.falling |= move.bit;
    s.mover ^= 1;
    return s;
}

/* A plain result; else the moves to examine. */
static int plain(const State *s, Move *moves, int *length) {
    if (count(threats(s, s->mover))) return WIN;
    Threats dangers = threats(s, 1 - s->mover);
    if (!count(dangers)) {
        *length = all_moves(s, moves);
        return UNKNOWN;
    }
    if (count(dangers) > 1) return LOSS;
    Threats own = links(s, s->mover, 0);
    *length = add(moves, 0, dangers.drops, DROP);
    *length = add(moves, *length, dangers.rising & own.falling, FALLING);
    *length = add(moves, *length, dangers.falling & own.rising, RISING);
    return *length ? UNKNOWN : LOSS;
}

/* The two cells of each block that a link of that kind does not join. */
static Set across(Set bits, int kind) {
    return kind == RISING ? bits << 1 | bits << UP : bits | bits << (UP + 1);
}

/* The same, two plies further: a move that makes a double threat wins; where the opponent has one,
 * only one's own threats and moves that remove a part of it. */
static int forced(const State *s, Move *moves, int *length) {
    Move rest[MOST];
    int value = plain(s, moves, length), ignored;
    if (value != UNKNOWN || count(threats(s, 1 - s->mover))) return value;
    char threatens[MOST];
    for (int i = 0; i < *length; i++) {
        State after = play(*s, moves[i]);
        threatens[i] = count(threats(&after, s->mover)) > 0;
        if (threatens[i] && plain(&after, rest, &ignored) == LOSS) {
            moves[0] = moves[i];
            return WIN;
        }
    }
    State passed = *s;
    passed.mover ^= 1;
    Move his[MOST];
    int count_his = all_moves(&passed, his), kept = 0;
    Set drops = all, rising = blocks, falling = blocks;
    for (int i = 0; i < count_his; i++) {
        State after = play(passed, his[i]);
        if (plain(&after, rest, &ignored) != LOSS) continue;
        Threats found = threats(&after, passed.mover);
        Set cells = found.drops | across(found.rising, RISING) | across(found.falling, FALLING);
        if (his[i].kind == DROP) cells |= his[i].bit;
        else cells |= across(his[i].bit, his[i].kind);
        drops &= cells;
        rising &= found.falling | (his[i].kind == FALLING ? his[i].bit : 0);
        falling &= found.rising | (his[i].kind == RISING ? his[i].bit : 0);
    }
    for (int i = 0; i < *length; i++) {
        Set useful = moves[i].kind == DROP ? drops : moves[i].kind == RISING ? rising : falling;
        if (threatens[i] || moves[i].bit & useful) moves[kept++] = moves[i];
    }
    *length = kept;
    return kept ? UNKNOWN : LOSS;
}

static Set mirrored(Set bits, int width) {
    Set found = 0;
    for (int rank = 0; rank < SIZE; rank++)
        found |= mirrored_row[bits >> rank * UP & ROW] >> (SIZE - width) << rank * UP;
    return found;
}

static Set upside_down(Set bits, int height) {
    Set found = 0;
    for (int rank = 0; rank < height; rank++)
        found |= (bits >> rank * UP & ROW) << (height - 1 - rank) * UP;
    return found;
}

static Set across_diagonal(Set bits) {
    Set found = 0;
    for (; bits; bits &= bits - 1) {
        int place = __builtin_ctz(bits);
        found |= 1u << (place % UP * UP + place / UP);
    }
    return found;
}

static void key_of(const State *s, uint64_t *stones, uint64_t *lines) {
    *stones = s->stones[0] | (uint64_t)s->stones[1] << 32 | (uint64_t)s->mover << 31;
    *lines = s->rising | (uint64_t)s->falling << 32;
}

/* The least key of a position and its mirror images, as long as few stones make that worth while. */
static void least_key(State s, uint64_t *stones, uint64_t *lines) {
    key_of(&s, stones, lines);
    if (__builtin_popcount(s.stones[0] | s.stones[1]) > 9) return;
    State image = s;
    for (int turned = 0; turned < 2; turned++) {
        for (int flip = 0; flip < 4; flip++) {
            State now = image;
            if (flip) {
                for (int seat = 0; seat < 2; seat++)
                    now.stones[seat] = flip & 1 ? mirrored(image.stones[seat], SIZE)
                                                : upside_down(image.stones[seat], SIZE);
                now.rising = flip & 1 ? mirrored(image.falling, SIZE - 1)
                                      : upside_down(image.falling, SIZE - 1);
                now.falling = flip & 1 ? mirrored(image.rising, SIZE - 1)
                                       : upside_down(image.rising, SIZE - 1);
            }
            uint64_t a, b;
            key_of(&now, &a, &b);
            if (a < *stones || (a == *stones && b < *lines)) *stones = a, *lines = b;
            image = now;
        }
        image = s; /* across the diagonal the colours change places */
        image.stones[0] = across_diagonal(s.stones[1]);
        image.stones[1] = across_diagonal(s.stones[0]);
        image.rising = across_diagonal(s.rising);
        image.falling = across_diagonal(s.falling);
        image.mover ^= 1;
    }
}

static Entry *place_of(uint64_t stones, uint64_t lines) {
    uint64_t hash = stones * 0x9E3779B97F4A7C15ull ^ lines * 0xC2B2AE3D27D4EB4Full;
    hash = (hash ^ hash >> 29) * 0xBF58476D1CE4E5B9ull;
    return &table[(hash ^ hash >> 32) & mask & ~3ull];
}

static int is_used(const Entry *entry) { return entry->won | entry->lost ? 1 : 0; }

static Entry *find(const State *s, uint64_t *stones, uint64_t *lines) {
    least_key(*s, stones, lines);
    Entry *entry = place_of(*stones, *lines);
    for (int i = 0; i < 4; i++)
        if (entry[i].stones == *stones && entry[i].links == *lines && is_used(&entry[i])) return &entry[i];
    return NULL;
}

static uint64_t worth(const Entry *entry) {
    if (!is_used(entry)) return 0;
    uint32_t least = entry->won < entry->lost ? entry->won : entry->lost;
    return least ? 1 + (uint64_t)least : ((uint64_t)1 << 33) + (rand() & 0xffff);
}

static void keep(const State *s, uint32_t won, uint32_t lost) {
    uint64_t stones, lines;
    Entry *entry = find(s, &stones, &lines);
    if (!entry) {
        Entry *four = place_of(stones, lines);
        uint64_t least = worth(entry = four);
        for (int i = 1; i < 4; i++) {
            uint64_t other = worth(&four[i]);
            if (other < least) least = other, entry = &four[i];
        }
        entry->stones = stones;
        entry->links = lines;
    }
    entry->won = won;
    entry->lost = lost;
}

/* How many stones the seat is short of a chain, if it may go over diagonals that cannot be cut yet. */
static int distance(const State *s, int seat) {
    Set own = s->stones[seat], other = s->stones[1 - seat], reached = sides[seat][0] & own;
    Set rising = s->rising | (blocks & ~s->falling & ~(other >> 1 & other >> UP));
    Set falling = s->falling | (blocks & ~s->rising & ~(other & other >> (UP + 1)));
    for (int stones = 0; stones < SIZE + 3; stones++) {
        reached = flood(reached, own | reached, rising, falling);
        if (reached & sides[seat][1]) return stones;
        reached |= (step(reached, all & ~other, rising, falling) | (stones ? 0 : sides[seat][0])) & all & ~other;
    }
    return SIZE + 3;
}

/* The distances of a position from a proof that its mover wins, and that it loses. */
static void look(const State *s, uint32_t *won, uint32_t *lost) {
    static const uint32_t start[] = {1, 2, 5, 12, 30, 60, 100, 150, 200, 200, 200};
    uint64_t stones, lines;
    Entry *entry = find(s, &stones, &lines);
    if (entry) {
        *won = entry->won;
        *lost = entry->lost;
        return;
    }
    Move moves[MOST];
    int length, value = forced(s, moves, &length);
    if (value != UNKNOWN) {
        *won = value == WIN ? 0 : PROVED;
        *lost = value == WIN ? PROVED : 0;
        return;
    }
    int own = distance(s, s->mover);
    *won = start[own > 0 ? own - 1 : 0];
    *lost = start[distance(s, 1 - s->mover)];
}

static void search(const State *s, uint32_t most_won, uint32_t most_lost) {
    Move moves[MOST];
    State after[MOST];
    int length;
    if (forced(s, moves, &length) != UNKNOWN) return;
    for (int i = 0; i < length; i++) after[i] = play(*s, moves[i]);
    for (;;) {
        uint32_t won = PROVED, second = PROVED, best_won = 0;
        uint64_t lost = 0;
        int best = 0;
        for (int i = 0; i < length && won; i++) {
            uint32_t child_won, child_lost;
            look(&after[i], &child_won, &child_lost);
            lost += child_won;
            if (child_lost < won) {
                second = won;
                won = child_lost;
                best = i;
                best_won = child_won;
            } else if (child_lost < second) second = child_lost;
        }
        if (lost > PROVED || !won) lost = PROVED;
        keep(s, won, (uint32_t)lost);
        if (won >= most_won || lost >= most_lost || !won || !lost) return;
        uint64_t bound_won = most_lost >= PROVED ? PROVED : most_lost - lost + best_won;
        uint64_t bound_lost = (uint64_t)second + second / 4 + 1;
        search(&after[best], bound_won > PROVED ? PROVED : (uint32_t)bound_won,
               bound_lost > most_won ? most_won : (uint32_t)bound_lost);
    }
}

static int is_won(const State *s) {
    uint32_t won, lost;
    search(s, PROVED, PROVED);
    look(s, &won, &lost);
    return !won;
}

static void answer(const State *s) {
    Move moves[MOST];
    uint32_t won, lost;
    int length = 0, chosen = 0;
    if (count(threats(s, s->mover))) {
        puts("now");
        return;
    }
    if (!is_won(s)) {
        puts("lost");
        return;
    }
    if (forced(s, moves, &length) == UNKNOWN) {
        for (chosen = 0; chosen < length; chosen++) { /* proved positions come first */
            State after = play(*s, moves[chosen]);
            look(&after, &won, &lost);
            if (!lost) break;
        }
        for (int i = 0; i < length && chosen == length; i++) {
            State after = play(*s, moves[i]);
            search(&after, PROVED, PROVED);
            look(&after, &won, &lost);
            if (!lost) chosen = i;
        }
    }
    printf("%d %u\n", moves[chosen].kind, moves[chosen].bit);
}

int main(int argc, char **argv) {
    mask = ((uint64_t)1 << (argc > 1 ? atoi(argv[1]) : 25)) - 1;
    table = calloc(mask + 1, sizeof(Entry));
    if (!table) return 1;
    Set file = 0;
    for (int rank = 0; rank < SIZE; rank++) {
        file |= 1u << rank * UP;
        all |= ROW << rank * UP;
        if (rank < SIZE - 1) blocks |= ROW >> 1 << rank * UP;
    }
    sides[0][0] = file;
    sides[0][1] = file << (SIZE - 1);
    sides[1][0] = ROW;
    sides[1][1] = ROW << (SIZE - 1) * UP;
    for (int row = 0; row < 1 << SIZE; row++)
        for (int bit = 0; bit < SIZE; bit++)
            if (row >> bit & 1) mirrored_row[row] |= 1u << (SIZE - 1 - bit);
    State s;
    while (scanf("%u %u %u %u %d", &s.stones[0], &s.stones[1], &s.rising, &s.falling, &s.mover) == 5) {
        answer(&s);
        fflush(stdout);
    }
    return 0;
}
