import type pg from 'pg'
import type { Executor } from '@headwater/server-kit'
import type { ValueType, VersionFact } from '@headwater/timeseries'
import type { IngestChanges } from './ingest-changes.ts'
import { createIngestNotesStore, type IngestNotesStore } from './ingest-notes-store.ts'
import type { SymbolFacts } from './ingest-tracker.ts'

/** A stored column of a group. */
export interface StoredColumn {
  /** Id of the column. */
  id: number
  /** Name, unique in the group. */
  name: string
  /** Type of its values. */
  type: ValueType
}

/** A ledger entry: a file whose points are visible, or are being removed. */
export interface LedgerEntry {
  /** Id of the file. */
  fileId: string
  /** Version of its points in the engine. */
  version: number
  /** Number of stored rows. */
  rowCount: number
  /** Whether the points are visible or being removed. */
  state: 'published' | 'removing'
}

/** Data of a finished ingest. */
export interface FinishedIngest {
  /** Id of the file. */
  fileId: string
  /** Id of the group. */
  groupId: number
  /** Version of its points in the engine. */
  version: number
  /** Number of stored rows. */
  rowCount: number
  /** Names of the symbol keys of the file. */
  keyNames: string[]
  /** Value columns of the file; missing ones are created. */
  valueColumns: StoredColumn[]
  /** Metadata columns of the file. */
  metadataColumns: { name: string; type: ValueType }[]
  /** Facts about its symbols, in pieces. */
  facts: Iterable<SymbolFacts[]>
  /** Changes for the symbol cache; undefined if there are too many symbols to hold in memory. */
  ingestChanges?: IngestChanges | undefined
}

/** Stores the ledger, symbols and columns of ingests. Written in SQL, because statements have up to a hundred thousand rows. */
export interface IngestStore extends IngestNotesStore {
  /** Runs `work` in one transaction; an error rolls it back. */
  transaction<T>(work: (executor: Executor) => Promise<T>): Promise<T>
  /** Returns the columns of a group. */
  columns(groupId: number): Promise<{ value: StoredColumn[]; metadata: { name: string; type: ValueType }[] }>
  /** Reserves ids for new columns. */
  reserveColumnIds(count: number): Promise<number[]>
  /**
   * Locks the set of symbols of a group until the transaction ends; returns false if the group does not exist.
   */
  lockGroup(executor: Executor, groupId: number): Promise<boolean>
  /** Returns the ids of removed symbols whose points still exist in the engine. */
  removedSymbolIds(groupId: number): Promise<number[]>
  /** Records that the points of removed symbols have been deleted, and the number of rows of each version. */
  finishSymbolRemoval(
    executor: Executor,
    removal: { groupId: number; symbolIds: readonly number[]; versions: readonly VersionFact[] },
  ): Promise<void>
  /** Stores the noted symbols of a file and writes the ledger. Runs in the transaction of the caller. */
  finish(executor: Executor, ingest: FinishedIngest): Promise<void>
  /** Returns the ledger of a group, by version. */
  ledger(groupId: number): Promise<LedgerEntry[]>
  /** Returns the newest version in the ledger of a group, 0 if there is none. */
  newestVersion(groupId: number): Promise<number>
  /** Returns the ledger entry of a file. */
  ledgerEntryOfFile(fileId: string): Promise<(LedgerEntry & { groupId: number }) | undefined>
  /** Marks files for the removal of their points. */
  markRemoving(executor: Executor, fileIds: readonly string[]): Promise<{ fileId: string; groupId: number }[]>
  /** Returns the version that the points of a deleted file had; undefined if it had none. */
  versionBeforeRemoval(fileId: string): Promise<number | undefined>
  /** Deletes the versions of files that are restored, or can no longer be restored. */
  forgetRemovedFiles(executor: Executor, fileIds: readonly string[]): Promise<void>
  /** Returns the ids of the symbols in a file. */
  symbolIdsOfFile(fileId: string): Promise<number[]>
  /** Deletes the ledger entry of a removed file, and its symbols without points that no other file names. */
  finishRemoval(
    executor: Executor,
    removal: { fileId: string; groupId: number; symbolsWithoutPoints: readonly number[] },
  ): Promise<void>
  /** Sets the first and last timestamp of symbols; undefined without points. */
  setRanges(
    executor: Executor,
    ranges: readonly { sid: number; first: number | undefined; last: number | undefined }[],
  ): Promise<void>
  /** Returns the ids of groups with files in the ledger. */
  groupsInLedger(): Promise<number[]>
}

/** Creates the store in PostgreSQL. */
export function createIngestStore(pool: pg.Pool): IngestStore {
  return {
    ...createIngestNotesStore(pool),
    async transaction(work) {
      const client = await pool.connect()
      try {
        await client.query('begin')
        const result = await work(client)
        await client.query('commit')
        return result
      } catch (error) {
        await client.query('rollback').catch(() => {})
        throw error
      } finally {
        client.release()
      }
    },
    async columns(groupId) {
      const { rows } = await pool.query<StoredColumn & { isValue: boolean }>(
        `select id, name, type, true as "isValue" from value_columns where group_id = $1
         union all select 0, name, type, false from metadata_columns where group_id = $1`,
        [groupId],
      )
      return {
        value: rows.flatMap(({ id, name, type, isValue }) => (isValue ? [{ id, name, type }] : [])),
        metadata: rows.flatMap(({ name, type, isValue }) => (isValue ? [] : [{ name, type }])),
      }
    },
    async reserveColumnIds(count) {
      const { rows } = await pool.query<{ id: number }>(
        `select nextval('value_column_ids')::int as id from generate_series(1, $1)`,
        [count],
      )
      return rows.map((row) => row.id)
    },
    async lockGroup(executor, groupId) {
      const { rows } = await executor.query('select from group_names where id = $1 for no key update', [
        groupId,
      ])
      return rows.length > 0
    },
    async removedSymbolIds(groupId) {
      const { rows } = await pool.query<{ id: number }>(
        'select id from removed_symbols where group_id = $1 and not is_gone and not is_restorable order by id',
        [groupId],
      )
      return rows.map((row) => row.id)
    },
    async finishSymbolRemoval(executor, { groupId, symbolIds, versions }) {
      await executor.query(
        `update ingests i set row_count = coalesce(
           (select d.rows from unnest($2::bigint[], $3::bigint[]) as d (version, rows) where d.version = i.version), 0
         ) where group_id = $1`,
        [groupId, versions.map(({ version }) => version), versions.map(({ rows }) => rows)],
      )
      await executor.query('update removed_symbols set is_gone = true where id = any($1::bigint[])', [
        symbolIds,
      ])
    },
    finish: storeIngest,
    async ledger(groupId) {
      const { rows } = await pool.query<LedgerEntry>(
        `select file_id as "fileId", version, row_count as "rowCount", state from ingests where group_id = $1 order by version`,
        [groupId],
      )
      return rows
    },
    async newestVersion(groupId) {
      const { rows } = await pool.query<{ version: number }>(
        'select coalesce(max(version), 0) as version from ingests where group_id = $1',
        [groupId],
      )
      return rows[0]!.version
    },
    async ledgerEntryOfFile(fileId) {
      const { rows } = await pool.query<LedgerEntry & { groupId: number }>(
        `select file_id as "fileId", group_id as "groupId", version, row_count as "rowCount", state
         from ingests where file_id = $1`,
        [fileId],
      )
      return rows[0]
    },
    async markRemoving(executor, fileIds) {
      const { rows } = await executor.query(
        `with marked as (
           update ingests set state = 'removing' where file_id = any($1::uuid[]) returning file_id, group_id, version
         ), noted as (
           insert into removed_file_versions (file_id, group_id, version)
           select file_id, group_id, version from marked on conflict do nothing
         )
         select file_id as "fileId", group_id as "groupId" from marked`,
        [fileIds],
      )
      return rows as { fileId: string; groupId: number }[]
    },
    async versionBeforeRemoval(fileId) {
      const { rows } = await pool.query<{ version: number }>(
        'select version from removed_file_versions where file_id = $1',
        [fileId],
      )
      return rows[0]?.version
    },
    async forgetRemovedFiles(executor, fileIds) {
      await executor.query('delete from removed_file_versions where file_id = any($1::uuid[])', [fileIds])
    },
    async symbolIdsOfFile(fileId) {
      const { rows } = await pool.query<{ id: number }>(
        'select unnest(symbol_ids) as id from ingests where file_id = $1',
        [fileId],
      )
      return rows.map((row) => row.id)
    },
    async finishRemoval(executor, { fileId, groupId, symbolsWithoutPoints }) {
      await executor.query('delete from ingests where file_id = $1', [fileId])
      await executor.query(
        `delete from symbols where group_id = $1 and id = any($2::bigint[]) and not id = any(
           select unnest(symbol_ids) from ingests where group_id = $1 and symbol_ids && $2::bigint[]
         )`,
        [groupId, symbolsWithoutPoints],
      )
      await forgetUnusedNames(executor, groupId)
    },
    async setRanges(executor, ranges) {
      if (ranges.length === 0) return
      await executor.query(
        `update symbols s set first_at = to_timestamp(d.first / 1000.0), last_at = to_timestamp(d.last / 1000.0)
         from unnest($1::bigint[], $2::float8[], $3::float8[]) as d (id, first, last) where s.id = d.id`,
        [
          ranges.map((range) => range.sid),
          ranges.map((range) => range.first ?? null),
          ranges.map((range) => range.last ?? null),
        ],
      )
    },
    async groupsInLedger() {
      const { rows } = await pool.query<{ id: number }>('select distinct group_id as id from ingests')
      return rows.map((row) => row.id)
    },
  }
}

/** Deletes the names of keys and value columns that no symbol of a group uses; a removed symbol needs its columns to be restored. */
export async function forgetUnusedNames(executor: Executor, groupId: number): Promise<void> {
  await executor.query(
    `delete from symbol_keys k where group_id = $1
     and not exists (select from symbols s where s.group_id = $1 and s.keys ? k.name)`,
    [groupId],
  )
  await executor.query(
    `delete from value_columns c where group_id = $1
     and not exists (select from symbols s where s.group_id = $1 and s.column_ids @> array[c.id])
     and not exists (select from removed_symbols r where r.group_id = $1 and r.is_restorable and r.column_ids @> array[c.id])`,
    [groupId],
  )
}

/** Stores the noted symbols of a file and writes the ledger. */
async function storeIngest(executor: Executor, ingest: FinishedIngest): Promise<void> {
  const { fileId, groupId, version, rowCount, keyNames, valueColumns, metadataColumns, facts } = ingest
  const valueColumnIds = valueColumns.map((column) => column.id)
  // A column can have been removed with its last symbol. If a formula has taken its name since, the insert fails and
  // the ingest starts again.
  await executor.query(
    `insert into value_columns (id, group_id, name, type)
     select d.id, $1, d.name, d.type from unnest($2::int[], $3::text[], $4::text[]) as d (id, name, type)
     on conflict (id) do nothing`,
    [
      groupId,
      valueColumnIds,
      valueColumns.map((column) => column.name),
      valueColumns.map((column) => column.type),
    ],
  )
  await executor.query(
    `insert into metadata_columns (group_id, name, type)
     select $1, d.name, d.type from unnest($2::text[], $3::text[]) as d (name, type) on conflict do nothing`,
    [groupId, metadataColumns.map((column) => column.name), metadataColumns.map((column) => column.type)],
  )
  await executor.query(
    `insert into symbol_keys (group_id, name) select $1, unnest($2::text[]) on conflict do nothing`,
    [groupId, keyNames],
  )
  for (const piece of facts) await storeFacts(executor, { fileId, groupId, valueColumnIds, facts: piece })
  await executor.query(
    `insert into ingests (file_id, group_id, version, row_count, symbol_ids)
     select $1, $2, $3, $4, coalesce((select array_agg(id order by id) from ingest_symbols where file_id = $1), '{}')`,
    [fileId, groupId, version, rowCount],
  )
  await executor.query('delete from ingest_symbols where file_id = $1', [fileId])
}

async function storeFacts(
  executor: Executor,
  ingest: { fileId: string; groupId: number; valueColumnIds: number[]; facts: SymbolFacts[] },
): Promise<void> {
  const { fileId, groupId, valueColumnIds, facts } = ingest
  await executor.query(
    `insert into symbols (id, group_id, digest, keys, metadata, column_ids, first_at, last_at)
     select i.id, $2, i.digest, i.keys, i.metadata, d.columns::int[],
       to_timestamp(d.first / 1000.0), to_timestamp(d.last / 1000.0)
     from unnest($3::bigint[], $4::float8[], $5::float8[], $6::text[]) as d (id, first, last, columns)
     join ingest_symbols i on i.file_id = $1 and i.id = d.id
     on conflict (id) do update set
       metadata = symbols.metadata || excluded.metadata,
       column_ids = array(select distinct unnest(symbols.column_ids || excluded.column_ids) order by 1),
       first_at = least(symbols.first_at, excluded.first_at),
       last_at = greatest(symbols.last_at, excluded.last_at)
     where not (
       symbols.metadata @> excluded.metadata and symbols.column_ids @> excluded.column_ids
       and coalesce(excluded.first_at >= symbols.first_at and excluded.last_at <= symbols.last_at, excluded.first_at is null)
     )`,
    [
      fileId,
      groupId,
      facts.map((fact) => fact.sid),
      facts.map((fact) => fact.first ?? null),
      facts.map((fact) => fact.last ?? null),
      facts.map((fact) => `{${fact.columns.map((column) => valueColumnIds[column]).join(',')}}`),
    ],
  )
}
