import type pg from 'pg'
import type { Executor } from '@headwater/server-kit'

/** A symbol that a file names. */
export interface NamedSymbol {
  /** Digest of the keys. */
  digest: Buffer
  /** Keys and values. */
  keys: Record<string, string>
}

/** A symbol of a file, with its id in the group. */
export interface NotedSymbol extends NamedSymbol {
  /** Id of the symbol. */
  id: number
  /** Whether the group does not have it yet. */
  isNew: boolean
  /** Metadata in the file, as text. */
  metadata: Record<string, string>
}

/** Stores notes about the symbols of files until their ingest finishes. */
export interface IngestNotesStore {
  /** Notes symbols of a file and returns their ids, in order: existing ids, or new ones. */
  noteSymbols(file: { fileId: string; groupId: number }, symbols: readonly NamedSymbol[]): Promise<number[]>
  /** Returns ids of symbols, in order: existing ids, or new ones. */
  findSymbols(groupId: number, symbols: readonly NamedSymbol[]): Promise<{ id: number; isNew: boolean }[]>
  /**
   * Notes symbols of a file whose ids are already known. Returns false and notes none if one of them has been removed since, or a
   * new one has been created.
   */
  noteResolvedSymbols(
    file: { fileId: string; groupId: number },
    symbols: readonly NotedSymbol[],
  ): Promise<boolean>
  /** Notes metadata of symbols of a file; earlier notes with other names remain. */
  noteMetadata(
    fileId: string,
    metadata: readonly { sid: number; values: Record<string, string> }[],
  ): Promise<void>
  /** Returns the keys and values of a noted symbol. */
  keysOfNoted(fileId: string, sid: number): Promise<Record<string, string>>
  /** Returns whether the noted symbols include a new symbol or changed metadata. */
  bringsNewFacts(fileId: string): Promise<boolean>
  /** Deletes the notes of a file. */
  forget(fileId: string, executor?: Executor): Promise<void>
  /** Deletes the notes of all files of a group. */
  forgetGroup(groupId: number): Promise<void>
  /** Returns whether a noted symbol has been removed since. */
  hasVanishedSymbol(executor: Executor, fileId: string): Promise<boolean>
  /** Returns the keys of a noted symbol that is a formula; undefined if there is none. */
  findNotedFormula(executor: Executor, fileId: string): Promise<Record<string, string> | undefined>
}

/** Creates the store in PostgreSQL. */
export function createIngestNotesStore(pool: pg.Pool): IngestNotesStore {
  return {
    async noteSymbols({ fileId, groupId }, symbols) {
      if (symbols.length === 0) return []
      const { rows } = await pool.query<{ id: number }>(
        // New ids follow the order of the file, so that points sorted by symbol are also sorted by id.
        `with known as materialized (
           select d.position, d.digest, d.keys::jsonb as keys, s.id
           from unnest($3::bytea[], $4::text[]) with ordinality as d (digest, keys, position)
           left join symbols s on s.group_id = $2 and s.digest = d.digest
           order by d.position
         ), given as materialized (
           select position, digest, keys, id is null as is_new, coalesce(id, nextval('symbol_ids')) as id from known
         ), noted as (
           insert into ingest_symbols (file_id, group_id, id, digest, keys, is_new)
           select $1, $2, id, digest, keys, is_new from given
         )
         select id from given order by position`,
        [
          fileId,
          groupId,
          symbols.map((symbol) => symbol.digest),
          symbols.map((symbol) => JSON.stringify(symbol.keys)),
        ],
      )
      return rows.map((row) => row.id)
    },
    async findSymbols(groupId, symbols) {
      if (symbols.length === 0) return []
      const { rows } = await pool.query<{ id: number; isNew: boolean }>(
        `with known as materialized (
           select d.position, s.id
           from unnest($2::bytea[]) with ordinality as d (digest, position)
           left join symbols s on s.group_id = $1 and s.digest = d.digest
           order by d.position
         )
         select coalesce(id, nextval('symbol_ids')) as id, id is null as "isNew" from known`,
        [groupId, symbols.map((symbol) => symbol.digest)],
      )
      return rows
    },
    async noteResolvedSymbols({ fileId, groupId }, symbols) {
      const { rows } = await pool.query<{ differs: boolean }>(
        `with given as materialized (
           select * from unnest($3::bigint[], $4::bytea[], $5::text[], $6::text[], $7::boolean[])
             as d (id, digest, keys, metadata, is_new)
         ), differing as materialized (
           select from given left join symbols s on s.group_id = $2 and s.digest = given.digest
           where case when is_new then s.id is not null else s.id is distinct from given.id end
           limit 1
         ), noted as (
           insert into ingest_symbols (file_id, group_id, id, digest, keys, metadata, is_new)
           select $1, $2, id, digest, keys::jsonb, metadata::jsonb, is_new from given
           where not exists (select from differing)
         )
         select exists (select from differing) as differs`,
        [
          fileId,
          groupId,
          symbols.map((symbol) => symbol.id),
          symbols.map((symbol) => symbol.digest),
          symbols.map((symbol) => JSON.stringify(symbol.keys)),
          symbols.map((symbol) => JSON.stringify(symbol.metadata)),
          symbols.map((symbol) => symbol.isNew),
        ],
      )
      return !rows[0]!.differs
    },
    async noteMetadata(fileId, metadata) {
      if (metadata.length === 0) return
      await pool.query(
        `update ingest_symbols i set metadata = i.metadata || d.metadata::jsonb
         from unnest($2::bigint[], $3::text[]) as d (id, metadata) where i.file_id = $1 and i.id = d.id`,
        [fileId, metadata.map(({ sid }) => sid), metadata.map(({ values }) => JSON.stringify(values))],
      )
    },
    async keysOfNoted(fileId, sid) {
      const { rows } = await pool.query<{ keys: Record<string, string> }>(
        'select keys from ingest_symbols where file_id = $1 and id = $2',
        [fileId, sid],
      )
      return rows[0]?.keys ?? {}
    },
    async bringsNewFacts(fileId) {
      const { rows } = await pool.query<{ isNew: boolean }>(
        `select exists (
           select from ingest_symbols i left join symbols s on s.id = i.id
           where i.file_id = $1 and (i.is_new or not s.metadata @> i.metadata)
         ) as "isNew"`,
        [fileId],
      )
      return rows[0]!.isNew
    },
    async forget(fileId, executor = pool) {
      await executor.query('delete from ingest_symbols where file_id = $1', [fileId])
    },
    async forgetGroup(groupId) {
      await pool.query('delete from ingest_symbols where group_id = $1', [groupId])
    },
    async hasVanishedSymbol(executor, fileId) {
      const { rows } = await executor.query(
        `select from ingest_symbols i where file_id = $1 and not is_new
           and not exists (select from symbols s where s.id = i.id) limit 1`,
        [fileId],
      )
      return rows.length > 0
    },
    async findNotedFormula(executor, fileId) {
      const { rows } = await executor.query(
        `select s.keys from ingest_symbols i join symbols s on s.id = i.id
         where i.file_id = $1 and not i.is_new and s.is_formula limit 1`,
        [fileId],
      )
      return (rows as { keys: Record<string, string> }[])[0]?.keys
    },
  }
}
