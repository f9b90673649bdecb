BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0007');
CREATE TABLE applications (
	id INTEGER NOT NULL, 
	CONSTRAINT pk_applications PRIMARY KEY (id)
)
 STRICT

;
CREATE TABLE attempts (
	user_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	wrong INTEGER NOT NULL, 
	state TEXT NOT NULL, 
	at INTEGER NOT NULL, 
	CONSTRAINT pk_attempts PRIMARY KEY (user_id, number), 
	CONSTRAINT ck_attempts_counts CHECK (number >= 1 AND wrong >= 0), 
	CONSTRAINT ck_attempts_state CHECK (state IN ('open', 'solved', 'shown'))
)
 STRICT

;
CREATE TABLE audit (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	at INTEGER NOT NULL, 
	guild_id INTEGER NOT NULL, 
	user_id INTEGER NOT NULL, 
	act TEXT NOT NULL, 
	"before" TEXT NOT NULL, 
	"after" TEXT NOT NULL, 
	reason TEXT DEFAULT '' NOT NULL
)
 STRICT

;
CREATE TABLE blocks (
	user_id INTEGER NOT NULL, 
	other_id INTEGER NOT NULL, 
	at INTEGER NOT NULL, 
	CONSTRAINT pk_blocks PRIMARY KEY (user_id, other_id), 
	CONSTRAINT ck_blocks_not_oneself CHECK (user_id <> other_id)
)
 STRICT

;
CREATE TABLE events (
	match_id TEXT NOT NULL, 
	seq INTEGER NOT NULL, 
	kind TEXT NOT NULL, 
	player INTEGER, 
	user_id INTEGER, 
	payload TEXT NOT NULL, 
	at INTEGER NOT NULL, 
	interaction_id INTEGER, 
	prev_hash TEXT NOT NULL, 
	hash TEXT NOT NULL, 
	CONSTRAINT pk_events PRIMARY KEY (match_id, seq), 
	CONSTRAINT ck_events_genesis CHECK ((seq = 1) = (prev_hash = '')), 
	CONSTRAINT ck_events_kind CHECK (kind IN ('offered', 'joined', 'started', 'left', 'declined', 'withdrawn', 'expired', 'moved', 'resigned', 'aborted', 'draw_offered', 'draw_accepted', 'draw_declined', 'asked', 'agreed', 'refused', 'retracted', 'lapsed', 'resumed', 'flagged', 'nudged', 'claimed', 'departed', 'adjudicated', 'substituted', 'credited')), 
	CONSTRAINT ck_events_hash CHECK (length(hash) = 64), 
	CONSTRAINT ck_events_seq CHECK (seq >= 1), 
	CONSTRAINT fk_events_match_id FOREIGN KEY(match_id) REFERENCES matches (id), 
	CONSTRAINT uq_events_interaction_id UNIQUE (interaction_id)
)
 STRICT

;
INSERT INTO "events" VALUES('keucrlbqbn',1,'offered',0,1,'{"game":"rows","options":{"size":3,"players":2,"pie":"off"},"rules":1,"venue":"thread","guild":900,"channel":901,"expires":1772625600000000,"kept":[0,1]}',1772366400000000,7000000,'','41d247f3bae24ee389b4bdbac28be316795dc0bcce68072797fe4a21a28c92fd');
INSERT INTO "events" VALUES('keucrlbqbn',2,'started',1,2,'{"state":".../.../... x"}',1772366400000000,7000001,'41d247f3bae24ee389b4bdbac28be316795dc0bcce68072797fe4a21a28c92fd','6bf07de2416f0aaaa0be84e214c75618e6cbd74eb0695b91b7789f4b19c3ac29');
INSERT INTO "events" VALUES('ccn2dhu6sm',1,'offered',0,1,'{"game":"rows","options":{"size":3,"players":2,"pie":"off"},"rules":1,"venue":"thread","guild":900,"channel":901,"expires":1772625600000000,"kept":[0,1]}',1772366400000000,7000002,'','abe0f8a2ebf509e10c408702d06e5d441ae99a050f2f7d5c54bea5afb5e72a99');
INSERT INTO "events" VALUES('ccn2dhu6sm',2,'started',1,2,'{"state":".../.../... x"}',1772366400000000,7000003,'abe0f8a2ebf509e10c408702d06e5d441ae99a050f2f7d5c54bea5afb5e72a99','c9d5e86adf66207b46a4a4c4bc926dc3a2e28d5acda3af5f8cc30f701f129f6a');
INSERT INTO "events" VALUES('7b3jedj2fs',1,'offered',0,1,'{"game":"rows","options":{"size":3,"players":2,"pie":"off"},"rules":1,"venue":"thread","guild":900,"channel":901,"expires":1772625600000000,"kept":[0,1]}',1772366400000000,7000004,'','6a6a3baae1a7531b6ac41f4f767197734f4b05761a8db3272b6edcc581d7d23d');
INSERT INTO "events" VALUES('7b3jedj2fs',2,'started',1,2,'{"state":".../.../... x"}',1772366400000000,7000005,'6a6a3baae1a7531b6ac41f4f767197734f4b05761a8db3272b6edcc581d7d23d','92cf5103b0314a60726e53481fc1a1f9e8685e488a0c1ad9b6086e086f155d85');
INSERT INTO "events" VALUES('keucrlbqbn',3,'moved',0,1,'{"move":"a1"}',1772366400000000,7000006,'6bf07de2416f0aaaa0be84e214c75618e6cbd74eb0695b91b7789f4b19c3ac29','101531fea33227c13feb01e17b10bbfc1cdbe9c31f0208910d898e5e706755f7');
INSERT INTO "events" VALUES('ccn2dhu6sm',3,'moved',0,1,'{"move":"a1"}',1772366400000000,7000007,'c9d5e86adf66207b46a4a4c4bc926dc3a2e28d5acda3af5f8cc30f701f129f6a','8b963087175bdfb78961c86c0d6f421811aaf2ba199131408b0a6ee701f3d59e');
INSERT INTO "events" VALUES('7b3jedj2fs',3,'moved',0,1,'{"move":"a1"}',1772366400000000,7000008,'92cf5103b0314a60726e53481fc1a1f9e8685e488a0c1ad9b6086e086f155d85','004d0a5f0410060a9df6820544428544db2996dbc0a769536e3dc60d5c3794d7');
INSERT INTO "events" VALUES('keucrlbqbn',4,'draw_offered',0,1,'{"expires":1772625600000000}',1772366400000000,7000009,'101531fea33227c13feb01e17b10bbfc1cdbe9c31f0208910d898e5e706755f7','8709cfcdfce7b8fa8da46a1229c3140374a2da0e2c02b3ac903265918572a177');
INSERT INTO "events" VALUES('ccn2dhu6sm',4,'resigned',0,1,'{}',1772366400000000,7000010,'8b963087175bdfb78961c86c0d6f421811aaf2ba199131408b0a6ee701f3d59e','d1a714be5f36273f241ba6261217823f5a803430998c44e4be1d002e1f4f38bd');
CREATE TABLE fans (
	user_id INTEGER NOT NULL, 
	other_id INTEGER NOT NULL, 
	guild_id INTEGER NOT NULL, 
	at INTEGER NOT NULL, 
	CONSTRAINT pk_fans PRIMARY KEY (user_id, other_id, guild_id), 
	CONSTRAINT ck_fans_not_oneself CHECK (user_id <> other_id)
)
 STRICT

;
CREATE TABLE favourites (
	user_id INTEGER NOT NULL, 
	match_id TEXT NOT NULL, 
	at INTEGER NOT NULL, 
	CONSTRAINT pk_favourites PRIMARY KEY (user_id, match_id), 
	CONSTRAINT fk_favourites_match_id FOREIGN KEY(match_id) REFERENCES matches (id)
)
 STRICT

;
CREATE TABLE follows (
	user_id INTEGER NOT NULL, 
	match_id TEXT NOT NULL, 
	at INTEGER NOT NULL, 
	channel_id INTEGER, 
	message_id INTEGER, 
	CONSTRAINT pk_follows PRIMARY KEY (user_id, match_id), 
	CONSTRAINT ck_follows_message CHECK ((channel_id IS NULL) = (message_id IS NULL)), 
	CONSTRAINT fk_follows_match_id FOREIGN KEY(match_id) REFERENCES matches (id)
)
 STRICT

;
CREATE TABLE heartbeats (
	scope TEXT NOT NULL, 
	at INTEGER NOT NULL, shard INTEGER DEFAULT 0 NOT NULL, total INTEGER DEFAULT 1 NOT NULL, 
	CONSTRAINT pk_heartbeats PRIMARY KEY (scope)
)
 STRICT

;
CREATE TABLE installation (
	id TEXT NOT NULL, 
	created_at INTEGER NOT NULL, 
	CONSTRAINT pk_installation PRIMARY KEY (id)
)
 STRICT

;
INSERT INTO "installation" VALUES('26866d031b5fcdad7aa6301408cb4d9f',1795875807252399);
CREATE TABLE jobs (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	kind TEXT NOT NULL, 
	match_id TEXT NOT NULL, 
	version INTEGER NOT NULL, 
	level INTEGER NOT NULL, 
	user_id INTEGER, 
	guild_id INTEGER, 
	due_at INTEGER NOT NULL, 
	attempts INTEGER DEFAULT 0 NOT NULL, 
	lease_by TEXT, 
	lease_until INTEGER DEFAULT 0 NOT NULL, 
	CONSTRAINT ck_jobs_kind CHECK (kind IN ('turn', 'review')), 
	CONSTRAINT fk_jobs_match_id FOREIGN KEY(match_id) REFERENCES matches (id), 
	CONSTRAINT uq_jobs_match_id UNIQUE (match_id, kind)
)
 STRICT

;
CREATE TABLE matches (
	id TEXT NOT NULL, 
	version INTEGER NOT NULL, 
	game TEXT NOT NULL, 
	options TEXT NOT NULL, 
	rules_version INTEGER NOT NULL, 
	status TEXT NOT NULL, 
	venue TEXT NOT NULL, 
	guild_id INTEGER, 
	channel_id INTEGER NOT NULL, 
	home_id INTEGER, 
	players TEXT NOT NULL, 
	invited TEXT NOT NULL, 
	offered_by INTEGER NOT NULL, 
	state TEXT NOT NULL, 
	previous_state TEXT NOT NULL, 
	last_move TEXT NOT NULL, 
	moved_by INTEGER, 
	recent TEXT NOT NULL, 
	ply INTEGER NOT NULL, 
	position_since INTEGER NOT NULL, 
	retired TEXT NOT NULL, 
	requests TEXT NOT NULL, 
	result TEXT, 
	created_at INTEGER NOT NULL, 
	updated_at INTEGER NOT NULL, 
	expires_at INTEGER, 
	head_hash TEXT NOT NULL, 
	rated INTEGER DEFAULT 0 NOT NULL, 
	clock TEXT, 
	times TEXT, 
	deadline INTEGER, 
	lapses_at INTEGER, 
	band TEXT, 
	set_aside_at INTEGER, 
	tournament TEXT, 
	hints INTEGER DEFAULT 0 NOT NULL, 
	takebacks INTEGER DEFAULT 1 NOT NULL, 
	departed TEXT DEFAULT '[]' NOT NULL, 
	rematch INTEGER DEFAULT 0 NOT NULL, 
	repeats INTEGER DEFAULT 0 NOT NULL, 
	verdict TEXT DEFAULT '' NOT NULL, 
	continues TEXT, language TEXT, 
	CONSTRAINT pk_matches PRIMARY KEY (id), 
	CONSTRAINT ck_matches_result CHECK ((status = 'finished') = (result IS NOT NULL)), 
	CONSTRAINT ck_matches_expiry CHECK ((status = 'offered') = (expires_at IS NOT NULL)), 
	CONSTRAINT ck_matches_started CHECK ((status IN ('running', 'finished', 'aborted')) = (state <> '')), 
	CONSTRAINT ck_matches_status CHECK (status IN ('offered', 'running', 'finished', 'aborted', 'declined', 'withdrawn', 'expired')), 
	CONSTRAINT ck_matches_venue CHECK (venue IN ('thread', 'channel', 'direct')), 
	CONSTRAINT ck_matches_hash CHECK (length(head_hash) = 64), 
	CONSTRAINT ck_matches_id CHECK (length(id) = 10), 
	CONSTRAINT ck_matches_position CHECK (position_since BETWEEN 1 AND version), 
	CONSTRAINT ck_matches_counts CHECK (version >= 1 AND ply >= 0)
)
 STRICT

;
INSERT INTO "matches" VALUES('keucrlbqbn',4,'rows','{"size":3,"players":2,"pie":"off"}',1,'running','thread',900,901,5001,'[1,2]','[null,2]',0,'.../.../x.. o','.../.../... x','a1',0,'["a1"]',1,3,'[]','[["draw",[0],4,1772625600000000,null]]',NULL,1772366400000000,1772366400000000,NULL,'8709cfcdfce7b8fa8da46a1229c3140374a2da0e2c02b3ac903265918572a177',0,NULL,NULL,NULL,1772625600000000,NULL,NULL,NULL,0,1,'[]',0,0,'',NULL,NULL);
INSERT INTO "matches" VALUES('ccn2dhu6sm',4,'rows','{"size":3,"players":2,"pie":"off"}',1,'finished','thread',900,901,5005,'[1,2]','[null,2]',0,'.../.../x.. o','.../.../... x','a1',0,'["a1"]',1,3,'[0]','[]','{"ending":"resignation","reason":"resignation","scores":[0.0,1.0],"winners":[1]}',1772366400000000,1772366400000000,NULL,'d1a714be5f36273f241ba6261217823f5a803430998c44e4be1d002e1f4f38bd',0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,1,'[]',0,0,'',NULL,NULL);
INSERT INTO "matches" VALUES('7b3jedj2fs',3,'rows','{"size":3,"players":2,"pie":"off"}',1,'running','thread',900,901,5009,'[1,2]','[null,2]',0,'.../.../x.. o','.../.../... x','a1',0,'["a1"]',1,3,'[]','[]',NULL,1772366400000000,1772366400000000,NULL,'004d0a5f0410060a9df6820544428544db2996dbc0a769536e3dc60d5c3794d7',0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,1,'[]',0,0,'',NULL,NULL);
CREATE TABLE news (
	user_id INTEGER NOT NULL, 
	match_id TEXT NOT NULL, 
	version INTEGER NOT NULL, 
	notice TEXT NOT NULL, 
	at INTEGER NOT NULL, 
	CONSTRAINT pk_news PRIMARY KEY (user_id, match_id, version, notice), 
	CONSTRAINT fk_news_match_id FOREIGN KEY(match_id) REFERENCES matches (id)
)
 STRICT

;
CREATE TABLE notes (
	user_id INTEGER NOT NULL, 
	match_id TEXT NOT NULL, 
	ply INTEGER NOT NULL, 
	words TEXT NOT NULL, 
	at INTEGER NOT NULL, 
	CONSTRAINT pk_notes PRIMARY KEY (user_id, match_id, ply), 
	CONSTRAINT ck_notes_ply CHECK (ply >= 0), 
	CONSTRAINT fk_notes_match_id FOREIGN KEY(match_id) REFERENCES matches (id)
)
 STRICT

;
CREATE TABLE outages (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	scope TEXT NOT NULL, 
	began_at INTEGER NOT NULL, 
	ended_at INTEGER NOT NULL, 
	CONSTRAINT ck_outages_span CHECK (began_at < ended_at)
)
 STRICT

;
CREATE TABLE outbox (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	"key" TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	slot TEXT, 
	payload TEXT NOT NULL, 
	holds_up INTEGER NOT NULL, 
	due_at INTEGER NOT NULL, 
	attempts INTEGER DEFAULT 0 NOT NULL, 
	may_exist INTEGER DEFAULT 0 NOT NULL, 
	tried_at INTEGER, 
	lease_by TEXT, 
	lease_until INTEGER DEFAULT 0 NOT NULL, 
	trouble TEXT, 
	CONSTRAINT ck_outbox_key CHECK (key LIKE '%_:_%'), 
	CONSTRAINT ck_outbox_may_exist CHECK (may_exist IN (0, 1)), 
	CONSTRAINT ck_outbox_holds_up CHECK (holds_up IN (0, 1)), 
	CONSTRAINT ck_outbox_lease CHECK ((lease_by IS NULL) = (lease_until = 0))
)
 STRICT

;
INSERT INTO "outbox" VALUES(22,'match:keucrlbqbn','card','card','{"version":3,"audience":null,"notice":null,"hours":null}',0,1772366460000000,0,0,NULL,NULL,0,NULL);
INSERT INTO "outbox" VALUES(30,'match:7b3jedj2fs','card','card','{"version":3,"audience":null,"notice":null,"hours":null}',0,1772366460000000,0,0,NULL,NULL,0,NULL);
INSERT INTO "outbox" VALUES(32,'match:ccn2dhu6sm','board',NULL,'{"version":4,"audience":null,"notice":null,"hours":null}',1,1772366400000000,1,1,1772366400000000,'63ad7b07b5f9fcbd',1772366430000000,NULL);
INSERT INTO "outbox" VALUES(33,'match:ccn2dhu6sm','notice',NULL,'{"version":4,"audience":1,"notice":"over","hours":null}',0,1772366400000000,1,1,1772366400000000,'63ad7b07b5f9fcbd',1772366430000000,NULL);
INSERT INTO "outbox" VALUES(34,'match:ccn2dhu6sm','offer_update',NULL,'{"version":4,"audience":null,"notice":null,"hours":null}',1,1772366400000000,1,1,1772366400000000,'63ad7b07b5f9fcbd',1772366430000000,NULL);
INSERT INTO "outbox" VALUES(35,'match:ccn2dhu6sm','tidy','tidy','{"version":4,"audience":null,"notice":null,"hours":null}',0,1772366400000000,1,1,1772366400000000,'63ad7b07b5f9fcbd',1772366430000000,NULL);
CREATE TABLE owed (
	interaction_id INTEGER NOT NULL, 
	at INTEGER NOT NULL, 
	CONSTRAINT pk_owed PRIMARY KEY (interaction_id)
)
 STRICT

;
CREATE TABLE people (
	user_id INTEGER NOT NULL, 
	version INTEGER NOT NULL, 
	settings TEXT NOT NULL, 
	CONSTRAINT pk_people PRIMARY KEY (user_id)
)
 STRICT

;
CREATE TABLE placings (
	number INTEGER NOT NULL, 
	player INTEGER NOT NULL, 
	user_id INTEGER NOT NULL, 
	rank INTEGER NOT NULL, 
	points INTEGER NOT NULL, 
	CONSTRAINT pk_placings PRIMARY KEY (number, player), 
	CONSTRAINT ck_placings_counts CHECK (rank >= 0 AND player >= 0), 
	CONSTRAINT fk_placings_number FOREIGN KEY(number) REFERENCES results (number)
)
 STRICT

;
CREATE TABLE plans (
	match_id TEXT NOT NULL, 
	player INTEGER NOT NULL, 
	ply INTEGER NOT NULL, 
	lines TEXT NOT NULL, 
	CONSTRAINT pk_plans PRIMARY KEY (match_id, player), 
	CONSTRAINT ck_plans_counts CHECK (player >= 0 AND ply >= 0), 
	CONSTRAINT fk_plans_match_id FOREIGN KEY(match_id) REFERENCES matches (id)
)
 STRICT

;
CREATE TABLE posts (
	match_id TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	audience INTEGER NOT NULL, 
	channel_id INTEGER NOT NULL, 
	message_id INTEGER NOT NULL, 
	version INTEGER NOT NULL, 
	ended TEXT, 
	CONSTRAINT pk_posts PRIMARY KEY (match_id, message_id), 
	CONSTRAINT ck_posts_kind CHECK (kind IN ('offer', 'board', 'line', 'reminder', 'started', 'untold', 'departed', 'challenged', 'paused', 'resumed', 'nudged', 'word', 'draw', 'takeback', 'pause', 'abort')), 
	CONSTRAINT fk_posts_match_id FOREIGN KEY(match_id) REFERENCES matches (id)
)
 STRICT

;
INSERT INTO "posts" VALUES('keucrlbqbn','offer',-1,901,5000,1,NULL);
INSERT INTO "posts" VALUES('ccn2dhu6sm','offer',-1,901,5004,1,NULL);
INSERT INTO "posts" VALUES('7b3jedj2fs','offer',-1,901,5008,1,NULL);
INSERT INTO "posts" VALUES('keucrlbqbn','board',-1,5001,5012,3,NULL);
INSERT INTO "posts" VALUES('keucrlbqbn','line',-1,5001,5013,3,NULL);
INSERT INTO "posts" VALUES('ccn2dhu6sm','board',-1,5005,5014,3,NULL);
INSERT INTO "posts" VALUES('ccn2dhu6sm','line',-1,5005,5015,3,NULL);
INSERT INTO "posts" VALUES('7b3jedj2fs','board',-1,5009,5016,3,NULL);
INSERT INTO "posts" VALUES('7b3jedj2fs','line',-1,5009,5017,3,NULL);
INSERT INTO "posts" VALUES('keucrlbqbn','draw',1,5001,5018,4,NULL);
CREATE TABLE processes (
	name TEXT NOT NULL, 
	seen_at INTEGER NOT NULL, 
	CONSTRAINT pk_processes PRIMARY KEY (name)
)
 STRICT

;
CREATE TABLE ratings (
	game TEXT NOT NULL, 
	user_id INTEGER NOT NULL, 
	mean REAL NOT NULL, 
	deviation REAL NOT NULL, 
	volatility REAL NOT NULL, 
	points INTEGER NOT NULL, 
	matches INTEGER NOT NULL, 
	won INTEGER NOT NULL, 
	drawn INTEGER NOT NULL, 
	last_at INTEGER NOT NULL, 
	CONSTRAINT pk_ratings PRIMARY KEY (user_id, game), 
	CONSTRAINT ck_ratings_counts CHECK (won >= 0 AND drawn >= 0 AND won + drawn <= matches)
)
 STRICT

;
CREATE TABLE reminders (
	match_id TEXT NOT NULL, 
	since INTEGER NOT NULL, 
	hours INTEGER NOT NULL, 
	CONSTRAINT pk_reminders PRIMARY KEY (match_id, since, hours), 
	CONSTRAINT fk_reminders_match_id FOREIGN KEY(match_id) REFERENCES matches (id)
)
 STRICT

;
CREATE TABLE results (
	number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	match_id TEXT NOT NULL, 
	game TEXT NOT NULL, 
	guild_id INTEGER, 
	at INTEGER NOT NULL, 
	CONSTRAINT fk_results_match_id FOREIGN KEY(match_id) REFERENCES matches (id), 
	CONSTRAINT uq_results_match_id UNIQUE (match_id)
)
 STRICT

;
CREATE TABLE reviews (
	match_id TEXT NOT NULL, 
	plies INTEGER NOT NULL, 
	reviewed INTEGER DEFAULT 0 NOT NULL, 
	moves TEXT DEFAULT '[]' NOT NULL, 
	CONSTRAINT pk_reviews PRIMARY KEY (match_id), 
	CONSTRAINT ck_reviews_reviewed CHECK (reviewed BETWEEN 0 AND plies), 
	CONSTRAINT fk_reviews_match_id FOREIGN KEY(match_id) REFERENCES matches (id)
)
 STRICT

;
CREATE TABLE seats (
	match_id TEXT NOT NULL, 
	user_id INTEGER NOT NULL, 
	active INTEGER NOT NULL, 
	CONSTRAINT pk_seats PRIMARY KEY (match_id, user_id), 
	CONSTRAINT ck_seats_active CHECK (active IN (0, 1)), 
	CONSTRAINT fk_seats_match_id FOREIGN KEY(match_id) REFERENCES matches (id)
)
 STRICT

;
INSERT INTO "seats" VALUES('keucrlbqbn',1,1);
INSERT INTO "seats" VALUES('keucrlbqbn',2,1);
INSERT INTO "seats" VALUES('ccn2dhu6sm',1,0);
INSERT INTO "seats" VALUES('ccn2dhu6sm',2,0);
INSERT INTO "seats" VALUES('7b3jedj2fs',1,1);
INSERT INTO "seats" VALUES('7b3jedj2fs',2,1);
CREATE TABLE servers (
	guild_id INTEGER NOT NULL, 
	version INTEGER NOT NULL, 
	settings TEXT NOT NULL, 
	called_at INTEGER DEFAULT 0 NOT NULL, 
	called_for TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_servers PRIMARY KEY (guild_id)
)
 STRICT

;
CREATE TABLE session_starts (
	name TEXT NOT NULL, 
	at INTEGER NOT NULL, 
	CONSTRAINT pk_session_starts PRIMARY KEY (name)
)
 STRICT

;
CREATE TABLE sessions (
	shard INTEGER NOT NULL, 
	total INTEGER NOT NULL, 
	session TEXT NOT NULL, 
	sequence INTEGER NOT NULL, 
	address TEXT NOT NULL, 
	left_at INTEGER NOT NULL, 
	known BLOB NOT NULL, 
	CONSTRAINT pk_sessions PRIMARY KEY (shard)
)
 STRICT

;
CREATE TABLE shards (
	shard INTEGER NOT NULL, 
	total INTEGER NOT NULL, 
	owner TEXT, 
	is_open INTEGER DEFAULT 0 NOT NULL, 
	CONSTRAINT pk_shards PRIMARY KEY (shard), 
	CONSTRAINT ck_shards_shard CHECK (0 <= shard AND shard < total), 
	CONSTRAINT ck_shards_is_open CHECK (is_open IN (0, 1))
)
 STRICT

;
CREATE TABLE standing (
	"key" TEXT NOT NULL, 
	guild_id INTEGER NOT NULL, 
	channel_id INTEGER NOT NULL, 
	message_id INTEGER, 
	digest TEXT DEFAULT '' NOT NULL, 
	salt INTEGER NOT NULL, 
	rest_until INTEGER DEFAULT 0 NOT NULL, 
	closing INTEGER DEFAULT 0 NOT NULL, 
	CONSTRAINT pk_standing PRIMARY KEY ("key"), 
	CONSTRAINT ck_standing_closing CHECK (closing IN (0, 1))
)
 STRICT

;
CREATE TABLE tallies (
	kind TEXT NOT NULL, 
	owner_id INTEGER NOT NULL, 
	other_id INTEGER NOT NULL, 
	match_id TEXT NOT NULL, 
	at INTEGER NOT NULL, 
	CONSTRAINT pk_tallies PRIMARY KEY (kind, owner_id, other_id, match_id), 
	CONSTRAINT ck_tallies_kind CHECK (kind IN ('offer', 'decline', 'thread'))
)
 STRICT

;
INSERT INTO "tallies" VALUES('thread',900,0,'keucrlbqbn',1772366400000000);
INSERT INTO "tallies" VALUES('thread',900,0,'ccn2dhu6sm',1772366400000000);
INSERT INTO "tallies" VALUES('thread',900,0,'7b3jedj2fs',1772366400000000);
CREATE TABLE tournament_directors (
	tournament_id TEXT NOT NULL, 
	position INTEGER NOT NULL, 
	user_id INTEGER NOT NULL, 
	CONSTRAINT pk_tournament_directors PRIMARY KEY (tournament_id, position), 
	CONSTRAINT fk_tournament_directors_tournament_id FOREIGN KEY(tournament_id) REFERENCES tournaments (id)
)
 STRICT

;
CREATE TABLE tournament_entrants (
	tournament_id TEXT NOT NULL, 
	number INTEGER NOT NULL, 
	user_id INTEGER, 
	rating INTEGER, 
	standing TEXT NOT NULL, 
	since INTEGER NOT NULL, 
	missed TEXT NOT NULL, 
	byes TEXT NOT NULL, 
	time_losses INTEGER NOT NULL, 
	is_warned INTEGER NOT NULL, seed INTEGER, is_here INTEGER DEFAULT 0 NOT NULL, 
	CONSTRAINT pk_tournament_entrants PRIMARY KEY (tournament_id, number), 
	CONSTRAINT ck_tournament_entrants_standing CHECK (standing IN ('active', 'withdrawn', 'excluded')), 
	CONSTRAINT ck_tournament_entrants_is_warned CHECK (is_warned IN (0, 1)), 
	CONSTRAINT ck_tournament_entrants_counts CHECK (number >= 1 AND since >= 1 AND time_losses >= 0), 
	CONSTRAINT fk_tournament_entrants_tournament_id FOREIGN KEY(tournament_id) REFERENCES tournaments (id)
)
 STRICT

;
CREATE TABLE tournament_events (
	tournament_id TEXT NOT NULL, 
	seq INTEGER NOT NULL, 
	kind TEXT NOT NULL, 
	payload TEXT NOT NULL, 
	at INTEGER NOT NULL, 
	user_id INTEGER, 
	subject_id INTEGER, 
	note TEXT NOT NULL, 
	interaction_id INTEGER, 
	prev_hash TEXT NOT NULL, 
	hash TEXT NOT NULL, 
	CONSTRAINT pk_tournament_events PRIMARY KEY (tournament_id, seq), 
	CONSTRAINT ck_tournament_events_genesis CHECK ((seq = 1) = (prev_hash = '')), 
	CONSTRAINT ck_tournament_events_hash CHECK (length(hash) = 64), 
	CONSTRAINT ck_tournament_events_seq CHECK (seq >= 1), 
	CONSTRAINT fk_tournament_events_tournament_id FOREIGN KEY(tournament_id) REFERENCES tournaments (id), 
	CONSTRAINT uq_tournament_events_interaction_id UNIQUE (interaction_id)
)
 STRICT

;
CREATE TABLE tournament_games (
	tournament_id TEXT NOT NULL, 
	game TEXT NOT NULL, 
	drawn INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	round INTEGER NOT NULL, 
	board INTEGER NOT NULL, 
	numbers TEXT NOT NULL, 
	tie TEXT NOT NULL, 
	division INTEGER NOT NULL, 
	until INTEGER NOT NULL, 
	has_begun INTEGER NOT NULL, 
	points TEXT, 
	how TEXT, 
	late TEXT, 
	match_id TEXT, 
	ended_at INTEGER, 
	CONSTRAINT pk_tournament_games PRIMARY KEY (tournament_id, game), 
	CONSTRAINT ck_tournament_games_match CHECK ((has_begun = 1) = (match_id IS NOT NULL)), 
	CONSTRAINT ck_tournament_games_result CHECK ((points IS NULL) = (how IS NULL)), 
	CONSTRAINT ck_tournament_games_has_begun CHECK (has_begun IN (0, 1)), 
	CONSTRAINT fk_tournament_games_match_id FOREIGN KEY(match_id) REFERENCES matches (id), 
	CONSTRAINT fk_tournament_games_tournament_id FOREIGN KEY(tournament_id) REFERENCES tournaments (id), 
	CONSTRAINT uq_tournament_games_match_id UNIQUE (match_id)
)
 STRICT

;
CREATE TABLE tournament_invited (
	tournament_id TEXT NOT NULL, 
	position INTEGER NOT NULL, 
	user_id INTEGER NOT NULL, 
	seed INTEGER, 
	rating INTEGER, 
	since INTEGER NOT NULL, 
	CONSTRAINT pk_tournament_invited PRIMARY KEY (tournament_id, position), 
	CONSTRAINT fk_tournament_invited_tournament_id FOREIGN KEY(tournament_id) REFERENCES tournaments (id)
)
 STRICT

;
CREATE TABLE tournaments (
	id TEXT NOT NULL, 
	version INTEGER NOT NULL, 
	head_hash TEXT NOT NULL, 
	guild_id INTEGER NOT NULL, 
	channel_id INTEGER NOT NULL, 
	message_id INTEGER, 
	name TEXT NOT NULL, 
	search TEXT NOT NULL, 
	format TEXT NOT NULL, 
	game TEXT NOT NULL, 
	setup TEXT NOT NULL, 
	lots INTEGER NOT NULL, 
	status TEXT NOT NULL, 
	is_over INTEGER NOT NULL, 
	created_by INTEGER, 
	created_at INTEGER NOT NULL, 
	updated_at INTEGER NOT NULL, 
	closes INTEGER NOT NULL, 
	begins INTEGER NOT NULL, 
	finish INTEGER NOT NULL, 
	paused_at INTEGER, 
	rounds TEXT NOT NULL, 
	ladder TEXT NOT NULL, 
	entrants INTEGER NOT NULL, 
	due_at INTEGER, 
	previous_id TEXT, 
	next_id TEXT, 
	home_gone INTEGER DEFAULT 0 NOT NULL, 
	troubles TEXT DEFAULT '' NOT NULL, 
	set_aside_at INTEGER, apart TEXT DEFAULT '[]' NOT NULL, 
	CONSTRAINT pk_tournaments PRIMARY KEY (id), 
	CONSTRAINT ck_tournaments_status CHECK (status IN ('registration', 'closed', 'running', 'finished', 'cancelled')), 
	CONSTRAINT ck_tournaments_flags CHECK (is_over IN (0, 1) AND home_gone IN (0, 1)), 
	CONSTRAINT ck_tournaments_hash CHECK (length(head_hash) = 64), 
	CONSTRAINT ck_tournaments_id CHECK (length(id) = 10), 
	CONSTRAINT ck_tournaments_counts CHECK (version >= 1 AND entrants >= 0)
)
 STRICT

;
CREATE TABLE unreached (
	match_id TEXT NOT NULL, 
	since INTEGER NOT NULL, 
	player INTEGER NOT NULL, 
	began_at INTEGER NOT NULL, 
	ended_at INTEGER, 
	settled INTEGER DEFAULT 0 NOT NULL, 
	CONSTRAINT pk_unreached PRIMARY KEY (match_id, since), 
	CONSTRAINT ck_unreached_settled CHECK (settled IN (0, 1)), 
	CONSTRAINT fk_unreached_match_id FOREIGN KEY(match_id) REFERENCES matches (id)
)
 STRICT

;
CREATE TABLE vacations (
	user_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	version INTEGER NOT NULL, 
	began_at INTEGER NOT NULL, 
	ends_at INTEGER NOT NULL, 
	by_itself INTEGER NOT NULL, 
	changed_at INTEGER NOT NULL, 
	interaction_id INTEGER, 
	line_at INTEGER, 
	CONSTRAINT pk_vacations PRIMARY KEY (user_id, number), 
	CONSTRAINT ck_vacations_span CHECK (began_at <= ends_at), 
	CONSTRAINT ck_vacations_by_itself CHECK (by_itself IN (0, 1)), 
	CONSTRAINT ck_vacations_counts CHECK (number >= 1 AND version >= 1)
)
 STRICT

;
CREATE TABLE verification (
	id INTEGER NOT NULL, 
	"after" TEXT NOT NULL, 
	whole_at INTEGER, 
	CONSTRAINT pk_verification PRIMARY KEY (id), 
	CONSTRAINT ck_verification_one CHECK (id = 1)
)
 STRICT

;
CREATE TABLE webhooks (
	guild_id INTEGER NOT NULL, 
	url TEXT NOT NULL, 
	secret TEXT NOT NULL, 
	failing_since INTEGER, 
	off_at INTEGER, 
	trouble TEXT NOT NULL, 
	CONSTRAINT pk_webhooks PRIMARY KEY (guild_id)
)
 STRICT

;
CREATE INDEX ix_audit_guild_id ON audit (guild_id, id);
CREATE INDEX ix_blocks_other_id ON blocks (other_id);
CREATE INDEX ix_matches_deadline ON matches (deadline, id) WHERE deadline IS NOT NULL;
CREATE INDEX ix_matches_lapses_at ON matches (lapses_at) WHERE lapses_at IS NOT NULL;
CREATE INDEX ix_matches_offer_expiry ON matches (expires_at) WHERE status = 'offered';
CREATE INDEX ix_matches_offered_guild ON matches (guild_id, created_at) WHERE status = 'offered';
CREATE INDEX ix_matches_over_home ON matches (home_id, created_at) WHERE status IN ('finished', 'aborted');
CREATE INDEX ix_matches_running_channel ON matches (channel_id) WHERE status = 'running';
CREATE INDEX ix_matches_running_guild ON matches (guild_id) WHERE status = 'running';
CREATE INDEX ix_matches_running_home ON matches (home_id) WHERE status = 'running';
CREATE INDEX ix_matches_set_aside_at ON matches (set_aside_at) WHERE set_aside_at IS NOT NULL;
CREATE UNIQUE INDEX uq_matches_running_in_channel ON matches (channel_id) WHERE status = 'running' AND venue = 'channel';
CREATE INDEX ix_outages_ended_at ON outages (ended_at);
CREATE INDEX ix_ratings_points ON ratings (game, points);
CREATE INDEX ix_standing_guild_id ON standing (guild_id);
CREATE INDEX ix_vacations_line_at ON vacations (line_at) WHERE line_at IS NOT NULL;
CREATE INDEX ix_outbox_key ON outbox ("key", id);
CREATE INDEX ix_outbox_due_at ON outbox (due_at);
CREATE INDEX ix_outbox_lease_until ON outbox (lease_until) WHERE lease_until > 0;
CREATE INDEX ix_outbox_trouble ON outbox (trouble) WHERE trouble IS NOT NULL;
CREATE INDEX ix_favourites_user_id ON favourites (user_id, at);
CREATE INDEX ix_jobs_due_at ON jobs (due_at);
CREATE INDEX ix_seats_active_user ON seats (user_id) WHERE active = 1;
CREATE INDEX ix_seats_user_id ON seats (user_id);
CREATE INDEX ix_unreached_began_at ON unreached (began_at) WHERE settled = 0;
CREATE INDEX ix_placings_user_id ON placings (user_id, number);
CREATE INDEX ix_tournaments_channel_id ON tournaments (channel_id);
CREATE INDEX ix_tournaments_due_at ON tournaments (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX ix_tournaments_guild_id ON tournaments (guild_id, is_over, created_at);
CREATE INDEX ix_tournament_directors_user_id ON tournament_directors (user_id);
CREATE INDEX ix_tournament_entrants_user_id ON tournament_entrants (user_id);
CREATE INDEX ix_tournament_events_subject_id ON tournament_events (subject_id) WHERE subject_id IS NOT NULL;
CREATE INDEX ix_tournament_events_user_id ON tournament_events (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX ix_tournament_games_ended_at ON tournament_games (ended_at) WHERE ended_at IS NOT NULL AND points IS NULL;
CREATE INDEX ix_fans_other_id ON fans (other_id, guild_id);
CREATE INDEX ix_follows_match_id ON follows (match_id);
CREATE INDEX ix_tournament_invited_user_id ON tournament_invited (user_id);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('outbox',35);
COMMIT;
