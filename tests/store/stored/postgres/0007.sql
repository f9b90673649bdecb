SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public.alembic_version (
    version_num character varying(32) NOT NULL
);
CREATE TABLE public.applications (
    id bigint NOT NULL
);
CREATE TABLE public.attempts (
    user_id bigint NOT NULL,
    number bigint NOT NULL,
    wrong bigint NOT NULL,
    state text NOT NULL,
    at bigint NOT NULL,
    CONSTRAINT ck_attempts_counts CHECK (((number >= 1) AND (wrong >= 0))),
    CONSTRAINT ck_attempts_state CHECK ((state = ANY (ARRAY['open'::text, 'solved'::text, 'shown'::text])))
);
CREATE TABLE public.audit (
    id bigint NOT NULL,
    at bigint NOT NULL,
    guild_id bigint NOT NULL,
    user_id bigint NOT NULL,
    act text NOT NULL,
    before text NOT NULL,
    after text NOT NULL,
    reason text DEFAULT ''::text NOT NULL
);
CREATE SEQUENCE public.audit_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.audit_id_seq OWNED BY public.audit.id;
CREATE TABLE public.blocks (
    user_id bigint NOT NULL,
    other_id bigint NOT NULL,
    at bigint NOT NULL,
    CONSTRAINT ck_blocks_not_oneself CHECK ((user_id <> other_id))
);
CREATE TABLE public.events (
    match_id text NOT NULL,
    seq bigint NOT NULL,
    kind text NOT NULL,
    player bigint,
    user_id bigint,
    payload text NOT NULL,
    at bigint NOT NULL,
    interaction_id bigint,
    prev_hash text NOT NULL,
    hash text NOT NULL,
    CONSTRAINT ck_events_genesis CHECK (((seq = 1) = (prev_hash = ''::text))),
    CONSTRAINT ck_events_hash CHECK ((length(hash) = 64)),
    CONSTRAINT ck_events_kind CHECK ((kind = ANY (ARRAY['offered'::text, 'joined'::text, 'started'::text, 'left'::text, 'declined'::text, 'withdrawn'::text, 'expired'::text, 'moved'::text, 'resigned'::text, 'aborted'::text, 'draw_offered'::text, 'draw_accepted'::text, 'draw_declined'::text, 'asked'::text, 'agreed'::text, 'refused'::text, 'retracted'::text, 'lapsed'::text, 'resumed'::text, 'flagged'::text, 'nudged'::text, 'claimed'::text, 'departed'::text, 'adjudicated'::text, 'substituted'::text, 'credited'::text]))),
    CONSTRAINT ck_events_seq CHECK ((seq >= 1))
);
CREATE TABLE public.fans (
    user_id bigint NOT NULL,
    other_id bigint NOT NULL,
    guild_id bigint NOT NULL,
    at bigint NOT NULL,
    CONSTRAINT ck_fans_not_oneself CHECK ((user_id <> other_id))
);
CREATE TABLE public.favourites (
    user_id bigint NOT NULL,
    match_id text NOT NULL,
    at bigint NOT NULL
);
CREATE TABLE public.follows (
    user_id bigint NOT NULL,
    match_id text NOT NULL,
    at bigint NOT NULL,
    channel_id bigint,
    message_id bigint,
    CONSTRAINT ck_follows_message CHECK (((channel_id IS NULL) = (message_id IS NULL)))
);
CREATE TABLE public.heartbeats (
    scope text NOT NULL,
    at bigint NOT NULL,
    shard bigint DEFAULT 0 NOT NULL,
    total bigint DEFAULT 1 NOT NULL
);
CREATE TABLE public.installation (
    id text NOT NULL,
    created_at bigint NOT NULL
);
CREATE TABLE public.jobs (
    id bigint NOT NULL,
    kind text NOT NULL,
    match_id text NOT NULL,
    version bigint NOT NULL,
    level bigint NOT NULL,
    user_id bigint,
    guild_id bigint,
    due_at bigint NOT NULL,
    attempts bigint DEFAULT 0 NOT NULL,
    lease_by text,
    lease_until bigint DEFAULT 0 NOT NULL,
    CONSTRAINT ck_jobs_kind CHECK ((kind = ANY (ARRAY['turn'::text, 'review'::text])))
);
CREATE SEQUENCE public.jobs_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.jobs_id_seq OWNED BY public.jobs.id;
CREATE TABLE public.matches (
    id text NOT NULL,
    version bigint NOT NULL,
    game text NOT NULL,
    options text NOT NULL,
    rules_version bigint NOT NULL,
    status text NOT NULL,
    venue text NOT NULL,
    guild_id bigint,
    channel_id bigint NOT NULL,
    home_id bigint,
    players text NOT NULL,
    invited text NOT NULL,
    offered_by bigint NOT NULL,
    state text NOT NULL,
    previous_state text NOT NULL,
    last_move text NOT NULL,
    moved_by bigint,
    recent text NOT NULL,
    ply bigint NOT NULL,
    position_since bigint NOT NULL,
    retired text NOT NULL,
    requests text NOT NULL,
    result text,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    expires_at bigint,
    head_hash text NOT NULL,
    rated bigint DEFAULT 0 NOT NULL,
    clock text,
    times text,
    deadline bigint,
    lapses_at bigint,
    band text,
    set_aside_at bigint,
    tournament text,
    hints bigint DEFAULT 0 NOT NULL,
    takebacks bigint DEFAULT 1 NOT NULL,
    departed text DEFAULT '[]'::text NOT NULL,
    rematch bigint DEFAULT 0 NOT NULL,
    repeats bigint DEFAULT 0 NOT NULL,
    verdict text DEFAULT ''::text NOT NULL,
    continues text,
    language text,
    CONSTRAINT ck_matches_counts CHECK (((version >= 1) AND (ply >= 0))),
    CONSTRAINT ck_matches_expiry CHECK (((status = 'offered'::text) = (expires_at IS NOT NULL))),
    CONSTRAINT ck_matches_hash CHECK ((length(head_hash) = 64)),
    CONSTRAINT ck_matches_id CHECK ((length(id) = 10)),
    CONSTRAINT ck_matches_position CHECK (((position_since >= 1) AND (position_since <= version))),
    CONSTRAINT ck_matches_result CHECK (((status = 'finished'::text) = (result IS NOT NULL))),
    CONSTRAINT ck_matches_started CHECK (((status = ANY (ARRAY['running'::text, 'finished'::text, 'aborted'::text])) = (state <> ''::text))),
    CONSTRAINT ck_matches_status CHECK ((status = ANY (ARRAY['offered'::text, 'running'::text, 'finished'::text, 'aborted'::text, 'declined'::text, 'withdrawn'::text, 'expired'::text]))),
    CONSTRAINT ck_matches_venue CHECK ((venue = ANY (ARRAY['thread'::text, 'channel'::text, 'direct'::text])))
);
CREATE TABLE public.news (
    user_id bigint NOT NULL,
    match_id text NOT NULL,
    version bigint NOT NULL,
    notice text NOT NULL,
    at bigint NOT NULL
);
CREATE TABLE public.notes (
    user_id bigint NOT NULL,
    match_id text NOT NULL,
    ply bigint NOT NULL,
    words text NOT NULL,
    at bigint NOT NULL,
    CONSTRAINT ck_notes_ply CHECK ((ply >= 0))
);
CREATE TABLE public.outages (
    id bigint NOT NULL,
    scope text NOT NULL,
    began_at bigint NOT NULL,
    ended_at bigint NOT NULL,
    CONSTRAINT ck_outages_span CHECK ((began_at < ended_at))
);
CREATE SEQUENCE public.outages_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.outages_id_seq OWNED BY public.outages.id;
CREATE TABLE public.outbox (
    id bigint NOT NULL,
    key text NOT NULL,
    kind text NOT NULL,
    slot text,
    payload text NOT NULL,
    holds_up bigint NOT NULL,
    due_at bigint NOT NULL,
    attempts bigint DEFAULT 0 NOT NULL,
    may_exist bigint DEFAULT 0 NOT NULL,
    tried_at bigint,
    lease_by text,
    lease_until bigint DEFAULT 0 NOT NULL,
    trouble text,
    CONSTRAINT ck_outbox_holds_up CHECK ((holds_up = ANY (ARRAY[(0)::bigint, (1)::bigint]))),
    CONSTRAINT ck_outbox_key CHECK ((key ~~ '%_:_%'::text)),
    CONSTRAINT ck_outbox_lease CHECK (((lease_by IS NULL) = (lease_until = 0))),
    CONSTRAINT ck_outbox_may_exist CHECK ((may_exist = ANY (ARRAY[(0)::bigint, (1)::bigint])))
);
CREATE SEQUENCE public.outbox_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.outbox_id_seq OWNED BY public.outbox.id;
CREATE TABLE public.owed (
    interaction_id bigint NOT NULL,
    at bigint NOT NULL
);
CREATE TABLE public.people (
    user_id bigint NOT NULL,
    version bigint NOT NULL,
    settings text NOT NULL
);
CREATE TABLE public.placings (
    number bigint NOT NULL,
    player bigint NOT NULL,
    user_id bigint NOT NULL,
    rank bigint NOT NULL,
    points bigint NOT NULL,
    CONSTRAINT ck_placings_counts CHECK (((rank >= 0) AND (player >= 0)))
);
CREATE TABLE public.plans (
    match_id text NOT NULL,
    player bigint NOT NULL,
    ply bigint NOT NULL,
    lines text NOT NULL,
    CONSTRAINT ck_plans_counts CHECK (((player >= 0) AND (ply >= 0)))
);
CREATE TABLE public.posts (
    match_id text NOT NULL,
    kind text NOT NULL,
    audience bigint NOT NULL,
    channel_id bigint NOT NULL,
    message_id bigint NOT NULL,
    version bigint NOT NULL,
    ended text,
    CONSTRAINT ck_posts_kind CHECK ((kind = ANY (ARRAY['offer'::text, 'board'::text, 'line'::text, 'reminder'::text, 'started'::text, 'untold'::text, 'departed'::text, 'challenged'::text, 'paused'::text, 'resumed'::text, 'nudged'::text, 'word'::text, 'draw'::text, 'takeback'::text, 'pause'::text, 'abort'::text])))
);
CREATE TABLE public.processes (
    name text NOT NULL,
    seen_at bigint NOT NULL
);
CREATE TABLE public.ratings (
    game text NOT NULL,
    user_id bigint NOT NULL,
    mean double precision NOT NULL,
    deviation double precision NOT NULL,
    volatility double precision NOT NULL,
    points bigint NOT NULL,
    matches bigint NOT NULL,
    won bigint NOT NULL,
    drawn bigint NOT NULL,
    last_at bigint NOT NULL,
    CONSTRAINT ck_ratings_counts CHECK (((won >= 0) AND (drawn >= 0) AND ((won + drawn) <= matches)))
);
CREATE TABLE public.reminders (
    match_id text NOT NULL,
    since bigint NOT NULL,
    hours bigint NOT NULL
);
CREATE TABLE public.results (
    number bigint NOT NULL,
    match_id text NOT NULL,
    game text NOT NULL,
    guild_id bigint,
    at bigint NOT NULL
);
CREATE SEQUENCE public.results_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.results_number_seq OWNED BY public.results.number;
CREATE TABLE public.reviews (
    match_id text NOT NULL,
    plies bigint NOT NULL,
    reviewed bigint DEFAULT 0 NOT NULL,
    moves text DEFAULT '[]'::text NOT NULL,
    CONSTRAINT ck_reviews_reviewed CHECK (((reviewed >= 0) AND (reviewed <= plies)))
);
CREATE TABLE public.seats (
    match_id text NOT NULL,
    user_id bigint NOT NULL,
    active bigint NOT NULL,
    CONSTRAINT ck_seats_active CHECK ((active = ANY (ARRAY[(0)::bigint, (1)::bigint])))
);
CREATE TABLE public.servers (
    guild_id bigint NOT NULL,
    version bigint NOT NULL,
    settings text NOT NULL,
    called_at bigint DEFAULT 0 NOT NULL,
    called_for text DEFAULT ''::text NOT NULL
);
CREATE TABLE public.session_starts (
    name text NOT NULL,
    at bigint NOT NULL
);
CREATE TABLE public.sessions (
    shard bigint NOT NULL,
    total bigint NOT NULL,
    session text NOT NULL,
    sequence bigint NOT NULL,
    address text NOT NULL,
    left_at bigint NOT NULL,
    known bytea NOT NULL
);
CREATE TABLE public.shards (
    shard bigint NOT NULL,
    total bigint NOT NULL,
    owner text,
    is_open bigint DEFAULT 0 NOT NULL,
    CONSTRAINT ck_shards_is_open CHECK ((is_open = ANY (ARRAY[(0)::bigint, (1)::bigint]))),
    CONSTRAINT ck_shards_shard CHECK (((0 <= shard) AND (shard < total)))
);
CREATE TABLE public.standing (
    key text NOT NULL,
    guild_id bigint NOT NULL,
    channel_id bigint NOT NULL,
    message_id bigint,
    digest text DEFAULT ''::text NOT NULL,
    salt bigint NOT NULL,
    rest_until bigint DEFAULT 0 NOT NULL,
    closing bigint DEFAULT 0 NOT NULL,
    CONSTRAINT ck_standing_closing CHECK ((closing = ANY (ARRAY[(0)::bigint, (1)::bigint])))
);
CREATE TABLE public.tallies (
    kind text NOT NULL,
    owner_id bigint NOT NULL,
    other_id bigint NOT NULL,
    match_id text NOT NULL,
    at bigint NOT NULL,
    CONSTRAINT ck_tallies_kind CHECK ((kind = ANY (ARRAY['offer'::text, 'decline'::text, 'thread'::text])))
);
CREATE TABLE public.tournament_directors (
    tournament_id text NOT NULL,
    "position" bigint NOT NULL,
    user_id bigint NOT NULL
);
CREATE TABLE public.tournament_entrants (
    tournament_id text NOT NULL,
    number bigint NOT NULL,
    user_id bigint,
    rating bigint,
    standing text NOT NULL,
    since bigint NOT NULL,
    missed text NOT NULL,
    byes text NOT NULL,
    time_losses bigint NOT NULL,
    is_warned bigint NOT NULL,
    seed bigint,
    is_here bigint DEFAULT 0 NOT NULL,
    CONSTRAINT ck_tournament_entrants_counts CHECK (((number >= 1) AND (since >= 1) AND (time_losses >= 0))),
    CONSTRAINT ck_tournament_entrants_is_warned CHECK ((is_warned = ANY (ARRAY[(0)::bigint, (1)::bigint]))),
    CONSTRAINT ck_tournament_entrants_standing CHECK ((standing = ANY (ARRAY['active'::text, 'withdrawn'::text, 'excluded'::text])))
);
CREATE TABLE public.tournament_events (
    tournament_id text NOT NULL,
    seq bigint NOT NULL,
    kind text NOT NULL,
    payload text NOT NULL,
    at bigint NOT NULL,
    user_id bigint,
    subject_id bigint,
    note text NOT NULL,
    interaction_id bigint,
    prev_hash text NOT NULL,
    hash text NOT NULL,
    CONSTRAINT ck_tournament_events_genesis CHECK (((seq = 1) = (prev_hash = ''::text))),
    CONSTRAINT ck_tournament_events_hash CHECK ((length(hash) = 64)),
    CONSTRAINT ck_tournament_events_seq CHECK ((seq >= 1))
);
CREATE TABLE public.tournament_games (
    tournament_id text NOT NULL,
    game text NOT NULL,
    drawn bigint NOT NULL,
    "position" bigint NOT NULL,
    round bigint NOT NULL,
    board bigint NOT NULL,
    numbers text NOT NULL,
    tie text NOT NULL,
    division bigint NOT NULL,
    until bigint NOT NULL,
    has_begun bigint NOT NULL,
    points text,
    how text,
    late text,
    match_id text,
    ended_at bigint,
    CONSTRAINT ck_tournament_games_has_begun CHECK ((has_begun = ANY (ARRAY[(0)::bigint, (1)::bigint]))),
    CONSTRAINT ck_tournament_games_match CHECK (((has_begun = 1) = (match_id IS NOT NULL))),
    CONSTRAINT ck_tournament_games_result CHECK (((points IS NULL) = (how IS NULL)))
);
CREATE TABLE public.tournament_invited (
    tournament_id text NOT NULL,
    "position" bigint NOT NULL,
    user_id bigint NOT NULL,
    seed bigint,
    rating bigint,
    since bigint NOT NULL
);
CREATE TABLE public.tournaments (
    id text NOT NULL,
    version bigint NOT NULL,
    head_hash text NOT NULL,
    guild_id bigint NOT NULL,
    channel_id bigint NOT NULL,
    message_id bigint,
    name text NOT NULL,
    search text NOT NULL,
    format text NOT NULL,
    game text NOT NULL,
    setup text NOT NULL,
    lots bigint NOT NULL,
    status text NOT NULL,
    is_over bigint NOT NULL,
    created_by bigint,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    closes bigint NOT NULL,
    begins bigint NOT NULL,
    finish bigint NOT NULL,
    paused_at bigint,
    rounds text NOT NULL,
    ladder text NOT NULL,
    entrants bigint NOT NULL,
    due_at bigint,
    previous_id text,
    next_id text,
    home_gone bigint DEFAULT 0 NOT NULL,
    troubles text DEFAULT ''::text NOT NULL,
    set_aside_at bigint,
    apart text DEFAULT '[]'::text NOT NULL,
    CONSTRAINT ck_tournaments_counts CHECK (((version >= 1) AND (entrants >= 0))),
    CONSTRAINT ck_tournaments_flags CHECK (((is_over = ANY (ARRAY[(0)::bigint, (1)::bigint])) AND (home_gone = ANY (ARRAY[(0)::bigint, (1)::bigint])))),
    CONSTRAINT ck_tournaments_hash CHECK ((length(head_hash) = 64)),
    CONSTRAINT ck_tournaments_id CHECK ((length(id) = 10)),
    CONSTRAINT ck_tournaments_status CHECK ((status = ANY (ARRAY['registration'::text, 'closed'::text, 'running'::text, 'finished'::text, 'cancelled'::text])))
);
CREATE TABLE public.unreached (
    match_id text NOT NULL,
    since bigint NOT NULL,
    player bigint NOT NULL,
    began_at bigint NOT NULL,
    ended_at bigint,
    settled bigint DEFAULT 0 NOT NULL,
    CONSTRAINT ck_unreached_settled CHECK ((settled = ANY (ARRAY[(0)::bigint, (1)::bigint])))
);
CREATE TABLE public.vacations (
    user_id bigint NOT NULL,
    number bigint NOT NULL,
    version bigint NOT NULL,
    began_at bigint NOT NULL,
    ends_at bigint NOT NULL,
    by_itself bigint NOT NULL,
    changed_at bigint NOT NULL,
    interaction_id bigint,
    line_at bigint,
    CONSTRAINT ck_vacations_by_itself CHECK ((by_itself = ANY (ARRAY[(0)::bigint, (1)::bigint]))),
    CONSTRAINT ck_vacations_counts CHECK (((number >= 1) AND (version >= 1))),
    CONSTRAINT ck_vacations_span CHECK ((began_at <= ends_at))
);
CREATE TABLE public.verification (
    id bigint NOT NULL,
    after text NOT NULL,
    whole_at bigint,
    CONSTRAINT ck_verification_one CHECK ((id = 1))
);
CREATE TABLE public.webhooks (
    guild_id bigint NOT NULL,
    url text NOT NULL,
    secret text NOT NULL,
    failing_since bigint,
    off_at bigint,
    trouble text NOT NULL
);
ALTER TABLE ONLY public.audit ALTER COLUMN id SET DEFAULT nextval('public.audit_id_seq'::regclass);
ALTER TABLE ONLY public.jobs ALTER COLUMN id SET DEFAULT nextval('public.jobs_id_seq'::regclass);
ALTER TABLE ONLY public.outages ALTER COLUMN id SET DEFAULT nextval('public.outages_id_seq'::regclass);
ALTER TABLE ONLY public.outbox ALTER COLUMN id SET DEFAULT nextval('public.outbox_id_seq'::regclass);
ALTER TABLE ONLY public.results ALTER COLUMN number SET DEFAULT nextval('public.results_number_seq'::regclass);
INSERT INTO public.alembic_version VALUES ('0007');
INSERT INTO public.events VALUES ('keucrlbqbn', 1, 'offered', 0, 1, '{"game":"rows","options":{"size":3,"players":2,"pie":"off"},"rules":1,"venue":"thread","guild":900,"channel":901,"expires":1772625600000000,"kept":[0,1]}', 1772366400000000, 7000000, '', '41d247f3bae24ee389b4bdbac28be316795dc0bcce68072797fe4a21a28c92fd');
INSERT INTO public.events VALUES ('keucrlbqbn', 2, 'started', 1, 2, '{"state":".../.../... x"}', 1772366400000000, 7000001, '41d247f3bae24ee389b4bdbac28be316795dc0bcce68072797fe4a21a28c92fd', '6bf07de2416f0aaaa0be84e214c75618e6cbd74eb0695b91b7789f4b19c3ac29');
INSERT INTO public.events VALUES ('ccn2dhu6sm', 1, 'offered', 0, 1, '{"game":"rows","options":{"size":3,"players":2,"pie":"off"},"rules":1,"venue":"thread","guild":900,"channel":901,"expires":1772625600000000,"kept":[0,1]}', 1772366400000000, 7000002, '', 'abe0f8a2ebf509e10c408702d06e5d441ae99a050f2f7d5c54bea5afb5e72a99');
INSERT INTO public.events VALUES ('ccn2dhu6sm', 2, 'started', 1, 2, '{"state":".../.../... x"}', 1772366400000000, 7000003, 'abe0f8a2ebf509e10c408702d06e5d441ae99a050f2f7d5c54bea5afb5e72a99', 'c9d5e86adf66207b46a4a4c4bc926dc3a2e28d5acda3af5f8cc30f701f129f6a');
INSERT INTO public.events VALUES ('7b3jedj2fs', 1, 'offered', 0, 1, '{"game":"rows","options":{"size":3,"players":2,"pie":"off"},"rules":1,"venue":"thread","guild":900,"channel":901,"expires":1772625600000000,"kept":[0,1]}', 1772366400000000, 7000004, '', '6a6a3baae1a7531b6ac41f4f767197734f4b05761a8db3272b6edcc581d7d23d');
INSERT INTO public.events VALUES ('7b3jedj2fs', 2, 'started', 1, 2, '{"state":".../.../... x"}', 1772366400000000, 7000005, '6a6a3baae1a7531b6ac41f4f767197734f4b05761a8db3272b6edcc581d7d23d', '92cf5103b0314a60726e53481fc1a1f9e8685e488a0c1ad9b6086e086f155d85');
INSERT INTO public.events VALUES ('keucrlbqbn', 3, 'moved', 0, 1, '{"move":"a1"}', 1772366400000000, 7000006, '6bf07de2416f0aaaa0be84e214c75618e6cbd74eb0695b91b7789f4b19c3ac29', '101531fea33227c13feb01e17b10bbfc1cdbe9c31f0208910d898e5e706755f7');
INSERT INTO public.events VALUES ('ccn2dhu6sm', 3, 'moved', 0, 1, '{"move":"a1"}', 1772366400000000, 7000007, 'c9d5e86adf66207b46a4a4c4bc926dc3a2e28d5acda3af5f8cc30f701f129f6a', '8b963087175bdfb78961c86c0d6f421811aaf2ba199131408b0a6ee701f3d59e');
INSERT INTO public.events VALUES ('7b3jedj2fs', 3, 'moved', 0, 1, '{"move":"a1"}', 1772366400000000, 7000008, '92cf5103b0314a60726e53481fc1a1f9e8685e488a0c1ad9b6086e086f155d85', '004d0a5f0410060a9df6820544428544db2996dbc0a769536e3dc60d5c3794d7');
INSERT INTO public.events VALUES ('keucrlbqbn', 4, 'draw_offered', 0, 1, '{"expires":1772625600000000}', 1772366400000000, 7000009, '101531fea33227c13feb01e17b10bbfc1cdbe9c31f0208910d898e5e706755f7', '8709cfcdfce7b8fa8da46a1229c3140374a2da0e2c02b3ac903265918572a177');
INSERT INTO public.events VALUES ('ccn2dhu6sm', 4, 'resigned', 0, 1, '{}', 1772366400000000, 7000010, '8b963087175bdfb78961c86c0d6f421811aaf2ba199131408b0a6ee701f3d59e', 'd1a714be5f36273f241ba6261217823f5a803430998c44e4be1d002e1f4f38bd');
INSERT INTO public.installation VALUES ('a53e85663fb13d7bce7c5af5a4d2e808', 1795885497840417);
INSERT INTO public.matches VALUES ('7b3jedj2fs', 3, 'rows', '{"size":3,"players":2,"pie":"off"}', 1, 'running', 'thread', 900, 901, 5009, '[1,2]', '[null,2]', 0, '.../.../x.. o', '.../.../... x', 'a1', 0, '["a1"]', 1, 3, '[]', '[]', NULL, 1772366400000000, 1772366400000000, NULL, '004d0a5f0410060a9df6820544428544db2996dbc0a769536e3dc60d5c3794d7', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 1, '[]', 0, 0, '', NULL, NULL);
INSERT INTO public.matches VALUES ('keucrlbqbn', 4, 'rows', '{"size":3,"players":2,"pie":"off"}', 1, 'running', 'thread', 900, 901, 5001, '[1,2]', '[null,2]', 0, '.../.../x.. o', '.../.../... x', 'a1', 0, '["a1"]', 1, 3, '[]', '[["draw",[0],4,1772625600000000,null]]', NULL, 1772366400000000, 1772366400000000, NULL, '8709cfcdfce7b8fa8da46a1229c3140374a2da0e2c02b3ac903265918572a177', 0, NULL, NULL, NULL, 1772625600000000, NULL, NULL, NULL, 0, 1, '[]', 0, 0, '', NULL, NULL);
INSERT INTO public.matches VALUES ('ccn2dhu6sm', 4, 'rows', '{"size":3,"players":2,"pie":"off"}', 1, 'finished', 'thread', 900, 901, 5005, '[1,2]', '[null,2]', 0, '.../.../x.. o', '.../.../... x', 'a1', 0, '["a1"]', 1, 3, '[0]', '[]', '{"ending":"resignation","reason":"resignation","scores":[0.0,1.0],"winners":[1]}', 1772366400000000, 1772366400000000, NULL, 'd1a714be5f36273f241ba6261217823f5a803430998c44e4be1d002e1f4f38bd', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 1, '[]', 0, 0, '', NULL, NULL);
INSERT INTO public.outbox VALUES (22, 'match:keucrlbqbn', 'card', 'card', '{"version":3,"audience":null,"notice":null,"hours":null}', 0, 1772366460000000, 0, 0, NULL, NULL, 0, NULL);
INSERT INTO public.outbox VALUES (30, 'match:7b3jedj2fs', 'card', 'card', '{"version":3,"audience":null,"notice":null,"hours":null}', 0, 1772366460000000, 0, 0, NULL, NULL, 0, NULL);
INSERT INTO public.outbox VALUES (32, 'match:ccn2dhu6sm', 'board', NULL, '{"version":4,"audience":null,"notice":null,"hours":null}', 1, 1772366400000000, 1, 1, 1772366400000000, 'fea1350bb17bd7bd', 1772366430000000, NULL);
INSERT INTO public.outbox VALUES (33, 'match:ccn2dhu6sm', 'notice', NULL, '{"version":4,"audience":1,"notice":"over","hours":null}', 0, 1772366400000000, 1, 1, 1772366400000000, 'fea1350bb17bd7bd', 1772366430000000, NULL);
INSERT INTO public.outbox VALUES (34, 'match:ccn2dhu6sm', 'offer_update', NULL, '{"version":4,"audience":null,"notice":null,"hours":null}', 1, 1772366400000000, 1, 1, 1772366400000000, 'fea1350bb17bd7bd', 1772366430000000, NULL);
INSERT INTO public.outbox VALUES (35, 'match:ccn2dhu6sm', 'tidy', 'tidy', '{"version":4,"audience":null,"notice":null,"hours":null}', 0, 1772366400000000, 1, 1, 1772366400000000, 'fea1350bb17bd7bd', 1772366430000000, NULL);
INSERT INTO public.posts VALUES ('keucrlbqbn', 'offer', -1, 901, 5000, 1, NULL);
INSERT INTO public.posts VALUES ('ccn2dhu6sm', 'offer', -1, 901, 5004, 1, NULL);
INSERT INTO public.posts VALUES ('7b3jedj2fs', 'offer', -1, 901, 5008, 1, NULL);
INSERT INTO public.posts VALUES ('keucrlbqbn', 'board', -1, 5001, 5012, 3, NULL);
INSERT INTO public.posts VALUES ('keucrlbqbn', 'line', -1, 5001, 5013, 3, NULL);
INSERT INTO public.posts VALUES ('ccn2dhu6sm', 'board', -1, 5005, 5014, 3, NULL);
INSERT INTO public.posts VALUES ('ccn2dhu6sm', 'line', -1, 5005, 5015, 3, NULL);
INSERT INTO public.posts VALUES ('7b3jedj2fs', 'board', -1, 5009, 5016, 3, NULL);
INSERT INTO public.posts VALUES ('7b3jedj2fs', 'line', -1, 5009, 5017, 3, NULL);
INSERT INTO public.posts VALUES ('keucrlbqbn', 'draw', 1, 5001, 5018, 4, NULL);
INSERT INTO public.seats VALUES ('keucrlbqbn', 1, 1);
INSERT INTO public.seats VALUES ('keucrlbqbn', 2, 1);
INSERT INTO public.seats VALUES ('7b3jedj2fs', 1, 1);
INSERT INTO public.seats VALUES ('7b3jedj2fs', 2, 1);
INSERT INTO public.seats VALUES ('ccn2dhu6sm', 1, 0);
INSERT INTO public.seats VALUES ('ccn2dhu6sm', 2, 0);
INSERT INTO public.tallies VALUES ('thread', 900, 0, 'keucrlbqbn', 1772366400000000);
INSERT INTO public.tallies VALUES ('thread', 900, 0, 'ccn2dhu6sm', 1772366400000000);
INSERT INTO public.tallies VALUES ('thread', 900, 0, '7b3jedj2fs', 1772366400000000);
SELECT pg_catalog.setval('public.audit_id_seq', 1, false);
SELECT pg_catalog.setval('public.jobs_id_seq', 1, false);
SELECT pg_catalog.setval('public.outages_id_seq', 1, false);
SELECT pg_catalog.setval('public.outbox_id_seq', 35, true);
SELECT pg_catalog.setval('public.results_number_seq', 1, false);
ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY public.applications
    ADD CONSTRAINT pk_applications PRIMARY KEY (id);
ALTER TABLE ONLY public.attempts
    ADD CONSTRAINT pk_attempts PRIMARY KEY (user_id, number);
ALTER TABLE ONLY public.audit
    ADD CONSTRAINT pk_audit PRIMARY KEY (id);
ALTER TABLE ONLY public.blocks
    ADD CONSTRAINT pk_blocks PRIMARY KEY (user_id, other_id);
ALTER TABLE ONLY public.events
    ADD CONSTRAINT pk_events PRIMARY KEY (match_id, seq);
ALTER TABLE ONLY public.fans
    ADD CONSTRAINT pk_fans PRIMARY KEY (user_id, other_id, guild_id);
ALTER TABLE ONLY public.favourites
    ADD CONSTRAINT pk_favourites PRIMARY KEY (user_id, match_id);
ALTER TABLE ONLY public.follows
    ADD CONSTRAINT pk_follows PRIMARY KEY (user_id, match_id);
ALTER TABLE ONLY public.heartbeats
    ADD CONSTRAINT pk_heartbeats PRIMARY KEY (scope);
ALTER TABLE ONLY public.installation
    ADD CONSTRAINT pk_installation PRIMARY KEY (id);
ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT pk_jobs PRIMARY KEY (id);
ALTER TABLE ONLY public.matches
    ADD CONSTRAINT pk_matches PRIMARY KEY (id);
ALTER TABLE ONLY public.news
    ADD CONSTRAINT pk_news PRIMARY KEY (user_id, match_id, version, notice);
ALTER TABLE ONLY public.notes
    ADD CONSTRAINT pk_notes PRIMARY KEY (user_id, match_id, ply);
ALTER TABLE ONLY public.outages
    ADD CONSTRAINT pk_outages PRIMARY KEY (id);
ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT pk_outbox PRIMARY KEY (id);
ALTER TABLE ONLY public.owed
    ADD CONSTRAINT pk_owed PRIMARY KEY (interaction_id);
ALTER TABLE ONLY public.people
    ADD CONSTRAINT pk_people PRIMARY KEY (user_id);
ALTER TABLE ONLY public.placings
    ADD CONSTRAINT pk_placings PRIMARY KEY (number, player);
ALTER TABLE ONLY public.plans
    ADD CONSTRAINT pk_plans PRIMARY KEY (match_id, player);
ALTER TABLE ONLY public.posts
    ADD CONSTRAINT pk_posts PRIMARY KEY (match_id, message_id);
ALTER TABLE ONLY public.processes
    ADD CONSTRAINT pk_processes PRIMARY KEY (name);
ALTER TABLE ONLY public.ratings
    ADD CONSTRAINT pk_ratings PRIMARY KEY (user_id, game);
ALTER TABLE ONLY public.reminders
    ADD CONSTRAINT pk_reminders PRIMARY KEY (match_id, since, hours);
ALTER TABLE ONLY public.results
    ADD CONSTRAINT pk_results PRIMARY KEY (number);
ALTER TABLE ONLY public.reviews
    ADD CONSTRAINT pk_reviews PRIMARY KEY (match_id);
ALTER TABLE ONLY public.seats
    ADD CONSTRAINT pk_seats PRIMARY KEY (match_id, user_id);
ALTER TABLE ONLY public.servers
    ADD CONSTRAINT pk_servers PRIMARY KEY (guild_id);
ALTER TABLE ONLY public.session_starts
    ADD CONSTRAINT pk_session_starts PRIMARY KEY (name);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT pk_sessions PRIMARY KEY (shard);
ALTER TABLE ONLY public.shards
    ADD CONSTRAINT pk_shards PRIMARY KEY (shard);
ALTER TABLE ONLY public.standing
    ADD CONSTRAINT pk_standing PRIMARY KEY (key);
ALTER TABLE ONLY public.tallies
    ADD CONSTRAINT pk_tallies PRIMARY KEY (kind, owner_id, other_id, match_id);
ALTER TABLE ONLY public.tournament_directors
    ADD CONSTRAINT pk_tournament_directors PRIMARY KEY (tournament_id, "position");
ALTER TABLE ONLY public.tournament_entrants
    ADD CONSTRAINT pk_tournament_entrants PRIMARY KEY (tournament_id, number);
ALTER TABLE ONLY public.tournament_events
    ADD CONSTRAINT pk_tournament_events PRIMARY KEY (tournament_id, seq);
ALTER TABLE ONLY public.tournament_games
    ADD CONSTRAINT pk_tournament_games PRIMARY KEY (tournament_id, game);
ALTER TABLE ONLY public.tournament_invited
    ADD CONSTRAINT pk_tournament_invited PRIMARY KEY (tournament_id, "position");
ALTER TABLE ONLY public.tournaments
    ADD CONSTRAINT pk_tournaments PRIMARY KEY (id);
ALTER TABLE ONLY public.unreached
    ADD CONSTRAINT pk_unreached PRIMARY KEY (match_id, since);
ALTER TABLE ONLY public.vacations
    ADD CONSTRAINT pk_vacations PRIMARY KEY (user_id, number);
ALTER TABLE ONLY public.verification
    ADD CONSTRAINT pk_verification PRIMARY KEY (id);
ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT pk_webhooks PRIMARY KEY (guild_id);
ALTER TABLE ONLY public.events
    ADD CONSTRAINT uq_events_interaction_id UNIQUE (interaction_id);
ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT uq_jobs_match_id UNIQUE (match_id, kind);
ALTER TABLE ONLY public.results
    ADD CONSTRAINT uq_results_match_id UNIQUE (match_id);
ALTER TABLE ONLY public.tournament_events
    ADD CONSTRAINT uq_tournament_events_interaction_id UNIQUE (interaction_id);
ALTER TABLE ONLY public.tournament_games
    ADD CONSTRAINT uq_tournament_games_match_id UNIQUE (match_id);
CREATE INDEX ix_audit_guild_id ON public.audit USING btree (guild_id, id);
CREATE INDEX ix_blocks_other_id ON public.blocks USING btree (other_id);
CREATE INDEX ix_fans_other_id ON public.fans USING btree (other_id, guild_id);
CREATE INDEX ix_favourites_user_id ON public.favourites USING btree (user_id, at);
CREATE INDEX ix_follows_match_id ON public.follows USING btree (match_id);
CREATE INDEX ix_jobs_due_at ON public.jobs USING btree (due_at);
CREATE INDEX ix_matches_deadline ON public.matches USING btree (deadline, id) WHERE (deadline IS NOT NULL);
CREATE INDEX ix_matches_lapses_at ON public.matches USING btree (lapses_at) WHERE (lapses_at IS NOT NULL);
CREATE INDEX ix_matches_offer_expiry ON public.matches USING btree (expires_at) WHERE (status = 'offered'::text);
CREATE INDEX ix_matches_offered_guild ON public.matches USING btree (guild_id, created_at) WHERE (status = 'offered'::text);
CREATE INDEX ix_matches_over_home ON public.matches USING btree (home_id, created_at) WHERE (status = ANY (ARRAY['finished'::text, 'aborted'::text]));
CREATE INDEX ix_matches_running_channel ON public.matches USING btree (channel_id) WHERE (status = 'running'::text);
CREATE INDEX ix_matches_running_guild ON public.matches USING btree (guild_id) WHERE (status = 'running'::text);
CREATE INDEX ix_matches_running_home ON public.matches USING btree (home_id) WHERE (status = 'running'::text);
CREATE INDEX ix_matches_set_aside_at ON public.matches USING btree (set_aside_at) WHERE (set_aside_at IS NOT NULL);
CREATE INDEX ix_outages_ended_at ON public.outages USING btree (ended_at);
CREATE INDEX ix_outbox_due_at ON public.outbox USING btree (due_at);
CREATE INDEX ix_outbox_key ON public.outbox USING btree (key, id);
CREATE INDEX ix_outbox_lease_until ON public.outbox USING btree (lease_until) WHERE (lease_until > 0);
CREATE INDEX ix_outbox_trouble ON public.outbox USING btree (trouble) WHERE (trouble IS NOT NULL);
CREATE INDEX ix_placings_user_id ON public.placings USING btree (user_id, number);
CREATE INDEX ix_ratings_points ON public.ratings USING btree (game, points);
CREATE INDEX ix_seats_active_user ON public.seats USING btree (user_id) WHERE (active = 1);
CREATE INDEX ix_seats_user_id ON public.seats USING btree (user_id);
CREATE INDEX ix_standing_guild_id ON public.standing USING btree (guild_id);
CREATE INDEX ix_tournament_directors_user_id ON public.tournament_directors USING btree (user_id);
CREATE INDEX ix_tournament_entrants_user_id ON public.tournament_entrants USING btree (user_id);
CREATE INDEX ix_tournament_events_subject_id ON public.tournament_events USING btree (subject_id) WHERE (subject_id IS NOT NULL);
CREATE INDEX ix_tournament_events_user_id ON public.tournament_events USING btree (user_id) WHERE (user_id IS NOT NULL);
CREATE INDEX ix_tournament_games_ended_at ON public.tournament_games USING btree (ended_at) WHERE ((ended_at IS NOT NULL) AND (points IS NULL));
CREATE INDEX ix_tournament_invited_user_id ON public.tournament_invited USING btree (user_id);
CREATE INDEX ix_tournaments_channel_id ON public.tournaments USING btree (channel_id);
CREATE INDEX ix_tournaments_due_at ON public.tournaments USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX ix_tournaments_guild_id ON public.tournaments USING btree (guild_id, is_over, created_at);
CREATE INDEX ix_unreached_began_at ON public.unreached USING btree (began_at) WHERE (settled = 0);
CREATE INDEX ix_vacations_line_at ON public.vacations USING btree (line_at) WHERE (line_at IS NOT NULL);
CREATE UNIQUE INDEX uq_matches_running_in_channel ON public.matches USING btree (channel_id) WHERE ((status = 'running'::text) AND (venue = 'channel'::text));
ALTER TABLE ONLY public.events
    ADD CONSTRAINT fk_events_match_id FOREIGN KEY (match_id) REFERENCES public.matches(id);
ALTER TABLE ONLY public.favourites
    ADD CONSTRAINT fk_favourites_match_id FOREIGN KEY (match_id) REFERENCES public.matches(id);
ALTER TABLE ONLY public.follows
    ADD CONSTRAINT fk_follows_match_id FOREIGN KEY (match_id) REFERENCES public.matches(id);
ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT fk_jobs_match_id FOREIGN KEY (match_id) REFERENCES public.matches(id);
ALTER TABLE ONLY public.news
    ADD CONSTRAINT fk_news_match_id FOREIGN KEY (match_id) REFERENCES public.matches(id);
ALTER TABLE ONLY public.notes
    ADD CONSTRAINT fk_notes_match_id FOREIGN KEY (match_id) REFERENCES public.matches(id);
ALTER TABLE ONLY public.placings
    ADD CONSTRAINT fk_placings_number FOREIGN KEY (number) REFERENCES public.results(number);
ALTER TABLE ONLY public.plans
    ADD CONSTRAINT fk_plans_match_id FOREIGN KEY (match_id) REFERENCES public.matches(id);
ALTER TABLE ONLY public.posts
    ADD CONSTRAINT fk_posts_match_id FOREIGN KEY (match_id) REFERENCES public.matches(id);
ALTER TABLE ONLY public.reminders
    ADD CONSTRAINT fk_reminders_match_id FOREIGN KEY (match_id) REFERENCES public.matches(id);
ALTER TABLE ONLY public.results
    ADD CONSTRAINT fk_results_match_id FOREIGN KEY (match_id) REFERENCES public.matches(id);
ALTER TABLE ONLY public.reviews
    ADD CONSTRAINT fk_reviews_match_id FOREIGN KEY (match_id) REFERENCES public.matches(id);
ALTER TABLE ONLY public.seats
    ADD CONSTRAINT fk_seats_match_id FOREIGN KEY (match_id) REFERENCES public.matches(id);
ALTER TABLE ONLY public.tournament_directors
    ADD CONSTRAINT fk_tournament_directors_tournament_id FOREIGN KEY (tournament_id) REFERENCES public.tournaments(id);
ALTER TABLE ONLY public.tournament_entrants
    ADD CONSTRAINT fk_tournament_entrants_tournament_id FOREIGN KEY (tournament_id) REFERENCES public.tournaments(id);
ALTER TABLE ONLY public.tournament_events
    ADD CONSTRAINT fk_tournament_events_tournament_id FOREIGN KEY (tournament_id) REFERENCES public.tournaments(id);
ALTER TABLE ONLY public.tournament_games
    ADD CONSTRAINT fk_tournament_games_match_id FOREIGN KEY (match_id) REFERENCES public.matches(id);
ALTER TABLE ONLY public.tournament_games
    ADD CONSTRAINT fk_tournament_games_tournament_id FOREIGN KEY (tournament_id) REFERENCES public.tournaments(id);
ALTER TABLE ONLY public.tournament_invited
    ADD CONSTRAINT fk_tournament_invited_tournament_id FOREIGN KEY (tournament_id) REFERENCES public.tournaments(id);
ALTER TABLE ONLY public.unreached
    ADD CONSTRAINT fk_unreached_match_id FOREIGN KEY (match_id) REFERENCES public.matches(id);
