import type { Executor } from '@headwater/server-kit'
import { forgetUnusedNames } from './ingest-store.ts'

/** A symbol to remove. */
export interface RemovableSymbol {
  /** Id of the symbol. */
  id: number
  /** Digest of its keys. */
  digest: Buffer
  /** Whether it has points. */
  hasPoints: boolean
}

/** Removes symbols; every function is part of the transaction of the caller. */
export interface SymbolsRemovalStore {
  /** Returns symbols of a group by the digests of their keys; unknown ones are omitted. */
  find(executor: Executor, groupId: number, digests: readonly Buffer[]): Promise<RemovableSymbol[]>
  /**
   * Deletes symbols, and records who removed them; restorable ones keep the data for their restoration; others are
   * recorded as symbols whose points must be removed.
   */
  remove(
    executor: Executor,
    removal: {
      groupId: number
      symbolIds: readonly number[]
      userId: number
      at: Date
      isRestorable: boolean
    },
  ): Promise<void>
}

/** Creates the store in PostgreSQL. */
export function createSymbolsRemovalStore(): SymbolsRemovalStore {
  return {
    async find(executor, groupId, digests) {
      const { rows } = await executor.query(
        `select id, digest, first_at is not null as "hasPoints" from symbols
         where group_id = $1 and digest = any($2::bytea[])`,
        [groupId, digests],
      )
      return rows as unknown as RemovableSymbol[]
    },
    async remove(executor, { groupId, symbolIds, userId, at, isRestorable }) {
      await executor.query(
        `insert into removed_symbols (
           id, group_id, keys, removed_by, removed_at, is_restorable, digest, metadata, column_ids, formula, file_ids)
         select id, group_id, keys, $3, $4, $5, digest, metadata, column_ids,
           (select to_jsonb(formulas) from formulas where symbol_id = symbols.id),
           array(select file_id from ingests where group_id = $1 and symbol_ids @> array[symbols.id])
         from symbols where group_id = $1 and id = any($2::bigint[])
         on conflict (id) do update set keys = excluded.keys, removed_by = excluded.removed_by,
           removed_at = excluded.removed_at, is_restorable = excluded.is_restorable, is_gone = false,
           changes = removed_symbols.changes + 1, digest = excluded.digest, metadata = excluded.metadata,
           column_ids = excluded.column_ids, formula = excluded.formula, file_ids = excluded.file_ids`,
        [groupId, symbolIds, userId, at, isRestorable],
      )
      await executor.query('delete from symbols where group_id = $1 and id = any($2::bigint[])', [
        groupId,
        symbolIds,
      ])
      await executor.query(
        `update ingests set symbol_ids = array(
           select id from unnest(symbol_ids) with ordinality as d (id, position)
           where id <> all ($2::bigint[]) order by position
         ) where group_id = $1 and symbol_ids && $2::bigint[]`,
        [groupId, symbolIds],
      )
      await forgetUnusedNames(executor, groupId)
    },
  }
}
