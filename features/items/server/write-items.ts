import type { Kysely } from 'kysely'
import {
  executorOf,
  refusedByConstraint,
  tablesOn,
  type Database,
  type Executor,
} from '@headwater/server-kit'
import { writeLinks } from './item-links.ts'
import type {
  CreateOutcome,
  ItemKind,
  ItemSave,
  ItemStore,
  ItemTables,
  SavedBy,
  SaveOutcome,
  WriteOptions,
} from './items.ts'
import type { ItemReads } from './read-items.ts'
import { insertVersion, versionTexts } from './version-row.ts'

const refusals = { unique: 'name-taken', missing: 'group-gone' } as const

/** Creates the part of the store that saves items, in new transactions or in that of the caller. */
export function createItemWrites<Content, Summary, Extra>(
  database: Database,
  itemKind: ItemKind<Content, Summary, Extra>,
  { find }: Pick<ItemReads<Content, Summary, Extra>, 'find'>,
): Pick<
  ItemStore<Content, Summary, Extra>,
  'amend' | 'create' | 'save' | 'move' | 'restore' | 'copy' | 'remove' | 'transaction'
> {
  const db = database.tables<ItemTables>()
  const { kind, contentOf = (stored) => stored, linksOf = () => [] } = itemKind

  /** Runs a write and the callback `inSameTransaction` in one transaction. */
  function write<Outcome extends string>(
    { executor, inSameTransaction }: WriteOptions,
    work: (tx: Kysely<ItemTables>, own: Executor) => Promise<Outcome>,
  ): Promise<Outcome | 'name-taken' | 'group-gone'> {
    const run = async (own: Executor) => {
      const outcome = await work(tablesOn<ItemTables>(own), own)
      if (outcome === 'created' || outcome === 'saved') await inSameTransaction?.(own)
      return outcome
    }
    return refusedByConstraint(
      executor === undefined ? transaction(run) : inSavepoint(executor, run),
      refusals,
    )
  }

  const transaction = <T>(work: (executor: Executor) => Promise<T>) =>
    db.transaction().execute((tx) => work(executorOf(tx)))

  function create(id: string, item: ItemSave<Content>, options: WriteOptions = {}): Promise<CreateOutcome> {
    return write(options, async (tx, own) => {
      const { groupId, name, savedBy, savedAt } = item
      if (!(await lockGroup(own, groupId))) return 'group-gone'
      await tx
        .insertInto('items')
        .values({
          id,
          kind,
          group_id: groupId,
          name,
          owner_id: savedBy,
          version: 1,
          created_at: savedAt,
          updated_at: savedAt,
        })
        .execute()
      await insertVersion(own, itemKind, { id, version: 1, item })
      return 'created'
    })
  }

  /** Saves the result of applying `change` to the newest version. */
  function save(
    id: string,
    {
      basedOn,
      savedBy,
      savedAt,
      ...change
    }: SavedBy & Partial<ItemSave<Content>> & { basedOn: number | undefined },
    options: WriteOptions = {},
  ): Promise<SaveOutcome> {
    return write(options, async (tx, own) => {
      const refusal = await lockGroupOfItem(own, { id, kind }, change.groupId)
      if (refusal !== undefined) return refusal
      const row = await tx
        .selectFrom('items')
        .select(['version', 'group_id as groupId', 'name'])
        .where('id', '=', id)
        .where('kind', '=', kind)
        .forUpdate()
        .executeTakeFirst()
      if (row === undefined) return 'gone'
      if (basedOn !== undefined && row.version !== basedOn) return 'changed'
      const { groupId = row.groupId, name = row.name } = change
      const content = change.content ?? (await contentIn(tx, id, row.version))
      const version = row.version + 1
      await tx
        .updateTable('items')
        .set({ group_id: groupId, name, version, updated_at: savedAt })
        .where('id', '=', id)
        .execute()
      await insertVersion(own, itemKind, { id, version, item: { content, savedBy, savedAt } })
      return 'saved'
    })
  }

  function amend(
    id: string,
    {
      name,
      content,
      basedOn,
    }: {
      name?: string | undefined
      content?: (stored: Content) => Content
      basedOn?: number | undefined
    },
    options: WriteOptions = {},
  ): Promise<SaveOutcome> {
    return write(options, async (tx, own) => {
      const row = await tx
        .selectFrom('items')
        .select(['version', 'name'])
        .where('id', '=', id)
        .where('kind', '=', kind)
        .forUpdate()
        .executeTakeFirst()
      if (row === undefined) return 'gone'
      if (basedOn !== undefined && row.version !== basedOn) return 'changed'
      if (name !== undefined) await tx.updateTable('items').set({ name }).where('id', '=', id).execute()
      if (content !== undefined) {
        const changed = content(await contentIn(tx, id, row.version))
        const { content: stored, summary } = versionTexts(itemKind, changed)
        await tx
          .updateTable('item_versions')
          .set({ content: stored, summary, links_pending: false })
          .where('item_id', '=', id)
          .where('version', '=', row.version)
          .execute()
        await writeLinks(own, { id, version: row.version, links: linksOf(changed) })
      }
      return 'saved'
    })
  }

  async function contentIn(tx: Kysely<ItemTables>, id: string, version: number): Promise<Content> {
    const { content } = await tx
      .selectFrom('item_versions')
      .select('content')
      .where('item_id', '=', id)
      .where('version', '=', version)
      .executeTakeFirstOrThrow()
    return contentOf(content as Content)
  }

  return {
    amend,
    create,
    save,
    move: save,
    async restore(id, version, by, options) {
      const source = await find({ id }, version)
      return source === undefined ? 'gone' : save(id, { ...by, content: source.content }, options)
    },
    async copy(from, { id, ...to }, options) {
      const source = await find({ id: from.id }, from.version)
      return source === undefined ? 'gone' : create(id, { ...to, content: source.content }, options)
    },
    async remove(id, executor = database.pool) {
      await executor.query('delete from items where id = $1 and kind = $2', [id, kind])
    },
    transaction,
  }
}

/** Prevents the deletion of a group until the end of the transaction. Returns whether the group exists. */
async function lockGroup(executor: Executor, groupId: number): Promise<boolean> {
  const { rows } = await executor.query('select from group_names where id = $1 for key share', [groupId])
  return rows.length > 0
}

/**
 * Locks the target group (default: the group of the item) before the item, in the same order as the deletion of groups.
 */
async function lockGroupOfItem(
  executor: Executor,
  item: { id: string; kind: string },
  groupId: number | undefined,
): Promise<'gone' | 'group-gone' | undefined> {
  const { rows } = await executor.query(
    'select group_id as "groupId" from items where id = $1 and kind = $2',
    [item.id, item.kind],
  )
  const [own] = rows as { groupId: number }[]
  if (own === undefined) return 'gone'
  return (await lockGroup(executor, groupId ?? own.groupId)) ? undefined : 'group-gone'
}

/** Runs a part of a transaction. If a constraint rejects it, only that part is rolled back. */
async function inSavepoint<T>(executor: Executor, work: (executor: Executor) => Promise<T>): Promise<T> {
  await executor.query('savepoint item_write', [])
  try {
    const result = await work(executor)
    await executor.query('release savepoint item_write', [])
    return result
  } catch (error) {
    await executor.query('rollback to savepoint item_write', [])
    throw error
  }
}
