/** The columns as TypeScript sees them. The migrations are the truth; a test compares the two. */
import type { ColumnType, Generated } from 'kysely';
import type { KeyTables } from './key-tables.ts';
import type { AuditTables, ConsoleTables, OperatorTables } from './operator-tables.ts';
import type { PreferenceColumns } from './preference-columns.ts';
import type { PushTables } from './push-tables.ts';

export interface DirectoryTables extends AuditTables, ConsoleTables {
  email: { address: string; account: string; state: 'half' | 'whole'; verified_at: number | null; since: number };
  username: { name: string; account: string | null; free_at: number | null };
  departing: { account: string; since: number };
  sign_up: {
    ticket_hash: Buffer;
    account: string;
    email: string;
    locale: string;
    setup: string;
    record: string | null;
    wrap: ColumnType<unknown, string | null, string | null>;
    code_hash: Buffer | null;
    code_at: number | null;
    code_tries: Generated<number>;
    verified_at: number | null;
    created_at: number;
    expires_at: number;
    issuer: string | null;
    subject: string | null;
    invite: string | null;
    inviter: string | null;
    is_for_link: Generated<boolean>;
  };
  sign_up_invite: {
    id: string;
    secret_hash: Buffer;
    email: string | null;
    note: string | null;
    uses: number;
    uses_left: number;
    created_at: number;
    expires_at: number;
  };
  mail_link: {
    token_hash: Buffer;
    purpose: 'recovery' | 'email-old' | 'email-new';
    account: string;
    address: string;
    new_address: string | null;
    locale: string;
    created_at: number;
    expires_at: number;
    used_at: number | null;
  };
  email_change: {
    account: string;
    address: string;
    old_at: number | null;
    new_at: number | null;
    created_at: number;
    expires_at: number;
  };
  assistant: { seat: number; account: string; since: number };
  identity: { issuer: string; subject: string; account: string; since: number };
  service_user: { id: string; account: string };
  service_former_id: { hash: Buffer; since: number };
  service_email: { address: string; account: string; verified_at: number | null };
  service_identity: { issuer: string; subject: string; account: string; since: number };
  placement: { bucket: number; shard: number; version: Generated<number> };
  page_view: { day: string; kind: string; slot: number; views: number };
  stats: { slot: number; users: Generated<number>; messages: Generated<number>; verified: Generated<number> };
}

export interface ShardTables extends KeyTables, PushTables, OperatorTables {
  bucket_here: { bucket: number; frozen: Generated<boolean> };
  contact: PreferenceColumns & {
    owner: string;
    peer: string;
    state: 'none' | 'asked' | 'accepted' | 'declined' | 'blocked';
    before_block: Generated<'none' | 'asked' | 'accepted' | 'declined'>;
    peer_accepts: Generated<boolean>;
    turn: Generated<number>;
    peer_turn: Generated<number>;
    acts: Generated<string[]>;
    since: Generated<number>;
  };
  contact_owed: {
    owner: string;
    peer: string;
    turn: number;
    accepts: boolean;
    invited: boolean;
    since: number;
  };
  invite: {
    owner: string;
    id: string;
    secret_hash: Buffer;
    created_at: number;
    expires_at: number;
    uses_left: number;
  };
  invite_use: { owner: string; invite: string; account: string; is_reserved: Generated<boolean> };
  blob: {
    owner: string;
    uploader: string;
    size: number;
    state: 'open' | 'finished';
    created_at: number;
    upload: Generated<string>;
  };
  blob_chunk: { owner: string; chunk: number; sha256: Buffer };
  blob_ref: { owner: string; account: string };
  blob_held: { owner: string; blob: string; charged: number; at: number };
  storage_total: { slot: number; bytes: number };
  service_account: {
    owner: string;
    id: string;
    email: string;
    name: string;
    password_hash: string;
    password_at: number;
    verified_at: number | null;
    is_blocked: Generated<boolean>;
    labels: Generated<string[]>;
    prefs: Generated<string>;
    mfa: Generated<boolean>;
    created_at: number;
    updated_at: number;
    accessed_at: number;
  };
  service_session: {
    owner: string;
    id: string;
    secret_hash: Buffer;
    provider: string;
    client: string;
    factors: string[];
    mfa_at: number | null;
    proven_at: number | null;
    created_at: number;
    updated_at: number;
    expires_at: number;
  };
  service_token: {
    owner: string;
    id: string;
    purpose: 'verification' | 'recovery' | 'oauth2';
    hash: Buffer;
    /** Factors that the browser which returns it has verified. */
    factors: string[];
    created_at: number;
    expires_at: number;
  };
  service_challenge: {
    owner: string;
    id: string;
    session: string;
    factor: 'totp' | 'email' | 'recoveryCode';
    hash: Buffer | null;
    tries: Generated<number>;
    created_at: number;
    expires_at: number;
  };
  service_target: {
    owner: string;
    id: string;
    session: string;
    provider: string | null;
    identifier: string;
    is_expired: Generated<boolean>;
    created_at: number;
    updated_at: number;
  };
  service_subscriber: { owner: string; topic: string; id: string; target: string; created_at: number };
  file: {
    owner: string;
    id: string;
    blob: string;
    uploader: string;
    name: string;
    folder: string;
    permissions: string[];
    readers: string[];
    mime_type: string;
    signature: string;
    size: number;
    chunks_total: number;
    chunks_uploaded: number;
    state: 'open' | 'finished';
    created_at: number;
    updated_at: number;
  };
  preview: {
    owner: string;
    file: string;
    wish: string;
    blob: string;
    size: number;
    state: 'open' | 'finished';
    created_at: number;
  };
  document: {
    owner: string;
    id: string;
    sequence: number;
    creator: string | null;
    data: string;
    permissions: string[];
    readers: string[];
    created_at: number;
    updated_at: number;
  };
  document_counter: { owner: string; last: number };
  document_usage: { owner: string; creator: string; bytes: number };
  privacy: {
    owner: string;
    last_seen: Generated<'everybody' | 'contacts' | 'nobody'>;
    writers: Generated<'everybody' | 'contacts'>;
    receipts: Generated<boolean>;
    typing: Generated<boolean>;
  };
  profile_group: {
    owner: string;
    name: 'personal' | 'contact' | 'education' | 'skills' | 'work';
    revision: number;
    audience: 'nobody' | 'contacts' | 'everybody';
    value: ColumnType<unknown, string, string>;
    updated_at: number;
  };
  mailbox: {
    owner: string;
    epoch: Generated<number>;
    last_seq: Generated<number>;
    rev: Generated<number>;
    device_rev: Generated<number>;
    to_device: Generated<number>;
    acked_seq: Generated<number>;
    told_seq: Generated<number>;
    frozen: Generated<boolean>;
  };
  log: {
    owner: string;
    seq: number;
    sender: string;
    message_id: string;
    chat: string;
    at: number;
    peer_seq: number | null;
    to_device: number;
    erases_sender: string | null;
    erases_id: string | null;
    body: Buffer | null;
    rings: Generated<boolean>;
  };
  register: { owner: string; key: string; rev: number; mark: number | null; value: Buffer | null };
  /** Pending copies: the account `target` is to get a copy of the entry (`owner`, `seq`). */
  owed: { owner: string; seq: number; target: string; since: number; body: Buffer | null };
  device: {
    owner: string;
    id: string;
    acked_seq: Generated<number>;
    created_at: number;
    seen_at: Generated<number>;
    name: string | null;
  };
  vault: { owner: string; kind: string; rev: number; blob: Buffer };
  vault_archive: { owner: string; kind: string; rev: number; blob: Buffer; until: number };
  vault_revision: {
    owner: string;
    kind: string;
    rev: number;
    blob: Buffer;
    replaced_at: number;
    former_key: Generated<boolean>;
    until: number;
  };
  session: {
    owner: string;
    id: string;
    device: string;
    secret_hash: Buffer;
    created_at: number;
    expires_at: number;
    client: Generated<string>;
    proven_at: Generated<number>;
    password_proven_at: Generated<number | null>;
    half_proven_at: Generated<number | null>;
    former_hash: Generated<Buffer | null>;
    former_until: Generated<number | null>;
    noticed_at: Generated<number>;
    pending: Generated<boolean>;
    vouched_at: Generated<number | null>;
  };
  factor: {
    owner: string;
    kind: 'totp' | 'email' | 'phone';
    sealed: string | null;
    confirmed_at: number | null;
    last_step: number | null;
    last_used_at: number | null;
    created_at: number;
  };
  recovery_code: {
    owner: string;
    hash: Buffer;
    created_at: number;
    used_at: number | null;
    sealed: string | null;
  };
  session_code: {
    owner: string;
    session: string;
    purpose: string;
    hash: Buffer | null;
    sent_at: number;
    tries: Generated<number>;
  };
  opaque_record: {
    owner: string;
    state: 'current' | 'previous';
    record: string;
    setup: string;
    created_at: number;
    until: number | null;
  };
  key_wrap: {
    owner: string;
    id: string;
    method: 'password' | 'recovery' | 'passkey';
    state: 'current' | 'stale' | 'archived';
    params: string;
    blob: Buffer;
    created_at: number;
    until: number | null;
    credential: Generated<string | null>;
  };
  passkey: {
    owner: string;
    id: string;
    public_key: Buffer;
    counter: number;
    transports: string[];
    name: string;
    created_at: number;
    last_used_at: number | null;
  };
  used_challenge: { owner: string; hash: Buffer; expires_at: number };
  user_document: {
    owner: string;
    email: string | null;
    username: string;
    fcm_tokens: Generated<string[]>;
    public_key: string | null;
    verified_at: number | null;
    locale: Generated<string>;
    permissions: string[];
    created_at: number;
    updated_at: number;
  };
  recovery: { owner: string; reset_at: number; closed_until: number | null };
  hand_over: {
    owner: string;
    id: string;
    asker: string;
    client: string;
    state: 'asked' | 'answered' | 'revealed' | 'sealed' | 'refused';
    commitment: string;
    asker_key: string | null;
    giver: string | null;
    giver_key: string | null;
    sealed: string | null;
    created_at: number;
    expires_at: number;
  };
  presence: { owner: string; last_online: number };
}
