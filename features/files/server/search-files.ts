import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { AccessScope, DataRange, LimitedGroup } from '@headwater/groups/server'
import { fileConditions, isFileWithin, isLatest, isNewestWithin } from './file-conditions.ts'
import type { FileQuery } from './file-query.ts'
import { selectFiles, toReadyFile, type FileLocation, type FileTables, type ReadyFile } from './file-rows.ts'

/** Columns that a list of files can be sorted by. */
export type FileOrder = 'arrival' | 'name' | 'type' | 'groupName' | 'size' | 'owner' | 'version'

/** A search for files. */
export interface FileFilter {
  /** Parsed query. */
  query: FileQuery
  /** Groups with files that the caller can see. */
  scope: AccessScope
  /** Groups in which the caller can see only files within a range. */
  limited: readonly LimitedGroup[]
  /** Sort key. */
  sortBy: FileOrder
  /** Sort order. */
  sortOrder: 'asc' | 'desc'
  /** Number of files to skip. */
  from: number
  /** Maximum number of files. */
  size: number
  /** Number of matches at which counting stops, unless the page ends later. */
  countUpTo: number
}

const orders: Record<FileOrder, RawBuilder<unknown>> = {
  arrival: sql`files.arrival`,
  name: sql`lower(files.name)`,
  type: sql`files.type`,
  groupName: sql`lower(groups.name)`,
  size: sql`files.size_bytes`,
  owner: sql`users.user_name`,
  version: sql`files.version`,
}

/**
 * Returns a page of the newest versions of files, and the number of matches. If not all matches are counted, the number is
 * greater than the number of files up to the end of the page, so that clients request the next page.
 */
export async function searchFiles(
  db: Kysely<FileTables>,
  filter: FileFilter,
): Promise<{ files: ReadyFile[]; total: number; isAtLeast: boolean }> {
  const counted = Math.max(filter.countUpTo, filter.from + filter.size)
  const where = sql<boolean>`${sql.join(fileConditions(filter), sql` and `)}`
  const [rows, count] = await Promise.all([
    selectFiles(db)
      // Replaces the stored column of this name.
      .select(isLatest(filter.limited).as('latest'))
      .where(where)
      // With this order, PostgreSQL reads the groups first, so groups without visible files must be excluded before their
      // files are read.
      .$if(filter.sortBy === 'groupName', (qb) => qb.where(isVisibleGroup(filter)))
      .orderBy(orders[filter.sortBy], filter.sortOrder)
      .orderBy('files.arrival', filter.sortOrder)
      .limit(filter.size)
      .offset(filter.from)
      .execute(),
    db
      .selectFrom(
        db
          .selectFrom('files')
          .$if(filter.query.groupNames.length > 0, (qb) =>
            qb.innerJoin('group_names as groups', 'groups.id', 'files.group_id'),
          )
          .select(sql<number>`1`.as('match'))
          .where(where)
          .$if(Number.isFinite(counted), (qb) => qb.limit(counted + 1))
          .as('matches'),
      )
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow(),
  ])
  const total = Number(count.total)
  return { files: rows.map(toReadyFile), total, isAtLeast: total > counted }
}

function isVisibleGroup({ scope: { groupIds }, limited }: FileFilter): RawBuilder<boolean> {
  if (groupIds === 'all') return sql<boolean>`true`
  return sql<boolean>`groups.id = any(${[...groupIds, ...limited.map(({ id }) => id)]}::bigint[])`
}

/**
 * Returns a page of the versions of a file, newest first.
 * @param range only versions whose data range lies within it; undefined for all
 */
export async function listFileVersions(
  db: Kysely<FileTables>,
  { groupId, name }: FileLocation,
  { from, size, range }: { from: number; size: number; range?: DataRange | undefined },
): Promise<{ files: ReadyFile[]; total: number }> {
  const isVersion = sql<boolean>`files.state = 'ready' and files.group_id = ${groupId} and files.name = ${name}
    and ${range === undefined ? sql`true` : isFileWithin(range)}`
  const [rows, count] = await Promise.all([
    selectFiles(db)
      .select((range === undefined ? sql<boolean>`files.latest` : isNewestWithin(range)).as('latest'))
      .where(isVersion)
      .orderBy('files.version', 'desc')
      .limit(size)
      .offset(from)
      .execute(),
    db
      .selectFrom('files')
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .where(isVersion)
      .executeTakeFirstOrThrow(),
  ])
  return { files: rows.map(toReadyFile), total: Number(count.total) }
}
