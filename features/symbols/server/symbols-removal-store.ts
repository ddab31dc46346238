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
  /** Returns symbols of a group by the digests of their keys; unknown ones are left out. */
  find(executor: Executor, groupId: number, digests: readonly Buffer[]): Promise<RemovableSymbol[]>
  /** Deletes symbols, and records who removed them and that their points must be removed. */
  remove(
    executor: Executor,
    removal: { groupId: number; symbolIds: readonly number[]; userId: number; at: Date },
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
    async remove(executor, { groupId, symbolIds, userId, at }) {
      await executor.query(
        `insert into removed_symbols (id, group_id, keys, removed_by, removed_at)
         select id, group_id, keys, $3, $4 from symbols where group_id = $1 and id = any($2::bigint[])`,
        [groupId, symbolIds, userId, at],
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
