import type { JobQueue } from '@headwater/jobs'
import { executorOf, type Database, type Executor } from '@headwater/server-kit'
import { writeLinks, type ItemLink } from './item-links.ts'
import type { ItemKind, ItemTables } from './items.ts'

/**
 * Writes the links that saves do not write: those of versions that are older than links, and of contents that are
 * files.
 */
export interface PendingLinks {
  /** Adds a kind whose versions can have pending links. */
  addKind<Content>(kind: LinkKind<Content>): void
  /** Enqueues the job, in the transaction that saves a version with pending links. */
  enqueue(executor?: Executor): Promise<void>
  /** Enqueues the job if there are versions with pending links. */
  resume(): Promise<void>
  /** Writes all pending links. Idempotent. */
  writeAll(): Promise<void>
}

const jobKind = 'item-links'
/** Versions in one transaction. */
const batchSize = 200

type LinkKind<Content> = Pick<
  ItemKind<Content, unknown, unknown>,
  'kind' | 'contentOf' | 'linksOf' | 'readLinks'
>
type Kind = LinkKind<unknown>
interface PendingVersion {
  id: string
  version: number
  kind: string
  content: unknown
}

/** Creates the writer and registers its job. */
export function createPendingLinks({
  database,
  jobs,
}: {
  database: Database
  jobs: JobQueue | undefined
}): PendingLinks {
  const kinds = new Map<string, Kind>()
  const enqueue = async (executor?: Executor) => {
    await jobs?.enqueue(jobKind, {}, { uniqueKey: jobKind, serialKey: jobKind }, executor)
  }
  const writeAll = async () => {
    while ((await writeBatch(database, kinds)) === batchSize);
  }
  jobs?.handle(jobKind, { run: writeAll })
  return {
    addKind: (kind) => void kinds.set(kind.kind, kind as Kind),
    enqueue,
    async resume() {
      const { rows } = await database.pool.query('select from item_versions where links_pending limit 1')
      if (rows.length > 0) await enqueue()
    },
    writeAll,
  }
}

/** Writes the links of a batch of versions and returns the number of versions. */
function writeBatch(database: Database, kinds: ReadonlyMap<string, Kind>): Promise<number> {
  return database
    .tables<ItemTables>()
    .transaction()
    .execute(async (tx) => {
      const executor = executorOf(tx)
      // A concurrent change of the content waits, so that its links are written last.
      const { rows } = await executor.query(
        `select item_id as id, version, kind, content from item_versions
         where links_pending and kind = any($1::text[]) order by item_id, version limit $2 for update skip locked`,
        [[...kinds.keys()], batchSize],
      )
      const versions = rows as PendingVersion[]
      for (const { id, version, kind, content } of versions)
        await writeLinks(executor, { id, version, links: await linksIn(kinds.get(kind)!, content) })
      await executor.query(
        `update item_versions set links_pending = false from unnest($1::uuid[], $2::int[]) as written (id, number)
         where item_id = written.id and version = written.number`,
        [versions.map(({ id }) => id), versions.map(({ version }) => version)],
      )
      return versions.length
    })
}

async function linksIn(
  { contentOf = (stored) => stored, linksOf = () => [], readLinks }: Kind,
  stored: unknown,
): Promise<readonly ItemLink[]> {
  const content = contentOf(stored)
  return readLinks === undefined ? linksOf(content) : readLinks(content)
}
