import { isDeepStrictEqual } from 'node:util'
import type { JSONColumnType } from 'kysely'
import { tablesOn, type Database, type Executor } from '@headwater/server-kit'
import type { AllowedParameter } from '../contract/index.ts'

interface Tables {
  item_names: { id: string; group_id: number; name: string }
  group_names: { id: number; name: string }
  user_names: { id: number; user_name: string }
  insight_publications: {
    insight_id: string
    publisher_id: number
    signing_key: string
    published_at: Date
    expires_at: Date | null
  }
  insight_public_links: {
    insight_id: string
    key: string
    parameters: JSONColumnType<AllowedParameter[]>
    dates: boolean
    created_at: Date
  }
  insight_visitors: {
    id: number
    insight_id: string
    company: string
    email: string
    full_name: string
    discount_code: string
    submitted_at: Date
  }
}

/** Publication of an insight. */
export interface Publication {
  /** Id of the item of the insight. */
  insightId: string
  /** Id of the user whose access applies to visitors. */
  publisherId: number
  /** Name of this user. */
  publisher: string
  /** Random key of the signatures of its links and tokens. */
  signingKey: string
  /** Date of the last publication. */
  publishedAt: Date
  /** Expiry; undefined means never. */
  expiresAt: Date | undefined
}

/** A publication with the group and name of its insight. */
export interface NamedPublication extends Publication {
  /** Id of the group. */
  groupId: number
  /** Name of the group. */
  groupName: string
  /** Name of the insight. */
  insightName: string
}

/** A link with choices. */
export interface StoredLink {
  /** Random key in the signed part. */
  key: string
  /** Parameters that visitors can set. */
  parameters: AllowedParameter[]
  /** Whether visitors can choose the date range. */
  dates: boolean
  /** Creation date. */
  createdAt: Date
}

/** A submitted form of a visitor. */
export interface StoredVisitor {
  /** Company of the visitor. */
  company: string
  /** E-mail address, not verified. */
  email: string
  /** First and last name. */
  fullName: string
  /** Discount code; can be empty. */
  discountCode: string
  /** Date of the submission. */
  submittedAt: Date
}

/** Store of publications, links and visitors in PostgreSQL. */
export interface PublicStore {
  /** Returns the publication of an insight, expired or not. */
  find(insightId: string, executor?: Executor): Promise<Publication | undefined>
  /** Returns the publication of an insight by group and name, expired or not. */
  findByName(groupName: string, insightName: string): Promise<NamedPublication | undefined>
  /** Returns all publications that have not expired, by group and name. */
  listActive(now: Date): Promise<NamedPublication[]>
  /** Publishes an insight. A new signing key ends its links. */
  publish(publication: Omit<Publication, 'publisher'>, executor: Executor): Promise<void>
  /**
   * Stores a link, unless one with the same choices exists, and returns the key of that link. Concurrent calls store one link.
   * Returns undefined if the insight already has `maxLinks` links.
   */
  addLink(insightId: string, link: StoredLink, maxLinks: number): Promise<string | undefined>
  /** Returns the links with choices of an insight, newest first. */
  links(insightId: string): Promise<StoredLink[]>
  /** Whether a link exists and was not ended. */
  hasLink(insightId: string, key: string): Promise<boolean>
  /** Deletes a link. */
  endLink(insightId: string, key: string): Promise<void>
  /** Deletes a publication and its submitted forms. */
  withdraw(insightId: string, executor: Executor): Promise<void>
  /** Stores a submitted form and deletes all but the newest `maxVisitors` of the insight. */
  addVisitor(insightId: string, visitor: StoredVisitor, maxVisitors: number): Promise<void>
  /** Returns the newest submitted forms, newest first. */
  visitors(insightId: string, size: number): Promise<StoredVisitor[]>
}

/** Creates the store. */
export function createPublicStore(database: Database): PublicStore {
  const db = database.tables<Tables>()
  return { ...publicationStore(db), ...linkStore(db), ...visitorStore(db) }
}

type Connection = ReturnType<typeof tablesOn<Tables>>

function publicationStore(
  db: Connection,
): Pick<PublicStore, 'find' | 'findByName' | 'listActive' | 'publish' | 'withdraw'> {
  const publications = (on: typeof db = db) =>
    on
      .selectFrom('insight_publications')
      .innerJoin('item_names as items', 'items.id', 'insight_publications.insight_id')
      .innerJoin('group_names as groups', 'groups.id', 'items.group_id')
      .innerJoin('user_names as users', 'users.id', 'insight_publications.publisher_id')
      .select(['items.id', 'items.group_id', 'items.name', 'publisher_id', 'users.user_name'])
      .select(['groups.name as group_name', 'signing_key', 'published_at', 'expires_at'])
  type Row = Awaited<ReturnType<ReturnType<typeof publications>['execute']>>[number]
  const toPublication = (row: Row): NamedPublication => ({
    insightId: row.id,
    groupId: row.group_id,
    groupName: row.group_name,
    insightName: row.name,
    publisherId: row.publisher_id,
    publisher: row.user_name,
    signingKey: row.signing_key,
    publishedAt: row.published_at,
    expiresAt: row.expires_at ?? undefined,
  })
  return {
    async find(insightId, executor) {
      const row = await publications(executor && tablesOn<Tables>(executor))
        .where('items.id', '=', insightId)
        .executeTakeFirst()
      return row && toPublication(row)
    },
    async findByName(groupName, insightName) {
      const row = await publications()
        .where('groups.name', '=', groupName)
        .where('items.name', '=', insightName)
        .executeTakeFirst()
      return row && toPublication(row)
    },
    async listActive(now) {
      const rows = await publications()
        .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
        .orderBy('groups.name')
        .orderBy('items.name')
        .execute()
      return rows.map(toPublication)
    },
    async publish({ insightId, publisherId, signingKey, expiresAt, publishedAt }, executor) {
      const values = {
        publisher_id: publisherId,
        signing_key: signingKey,
        published_at: publishedAt,
        expires_at: expiresAt ?? null,
      }
      await tablesOn<Tables>(executor)
        .deleteFrom('insight_public_links')
        .where('insight_id', 'in', (eb) =>
          eb
            .selectFrom('insight_publications')
            .select('insight_id')
            .where('insight_id', '=', insightId)
            .where('signing_key', '!=', signingKey),
        )
        .execute()
      await tablesOn<Tables>(executor)
        .insertInto('insight_publications')
        .values({ insight_id: insightId, ...values })
        .onConflict((conflict) => conflict.column('insight_id').doUpdateSet(values))
        .execute()
    },
    async withdraw(insightId, executor) {
      for (const table of ['insight_publications', 'insight_visitors'] as const)
        await tablesOn<Tables>(executor).deleteFrom(table).where('insight_id', '=', insightId).execute()
    },
  }
}

function linkStore(db: Connection): Pick<PublicStore, 'addLink' | 'links' | 'hasLink' | 'endLink'> {
  async function linksOf(insightId: string, on: typeof db = db): Promise<StoredLink[]> {
    const rows = await on
      .selectFrom('insight_public_links')
      .select(['key', 'parameters', 'dates', 'created_at'])
      .where('insight_id', '=', insightId)
      .orderBy('created_at', 'desc')
      .orderBy('key')
      .execute()
    return rows.map(({ created_at: createdAt, ...rest }) => ({ ...rest, createdAt }))
  }
  return {
    async addLink(insightId, { key, parameters, dates, createdAt }, maxLinks) {
      return await db.transaction().execute(async (tx) => {
        await tx
          .selectFrom('insight_publications')
          .select('insight_id')
          .where('insight_id', '=', insightId)
          .forUpdate()
          .execute()
        const links = await linksOf(insightId, tx)
        const known = links.find((each) =>
          isDeepStrictEqual([each.parameters, each.dates], [parameters, dates]),
        )
        if (known !== undefined) return known.key
        if (links.length >= maxLinks) return undefined
        await tx
          .insertInto('insight_public_links')
          .values({
            insight_id: insightId,
            key,
            parameters: JSON.stringify(parameters),
            dates,
            created_at: createdAt,
          })
          .execute()
        return key
      })
    },
    links: (insightId) => linksOf(insightId),
    async hasLink(insightId, key) {
      const row = await db
        .selectFrom('insight_public_links')
        .select('key')
        .where('insight_id', '=', insightId)
        .where('key', '=', key)
        .executeTakeFirst()
      return row !== undefined
    },
    async endLink(insightId, key) {
      await db
        .deleteFrom('insight_public_links')
        .where('insight_id', '=', insightId)
        .where('key', '=', key)
        .execute()
    },
  }
}

function visitorStore(db: Connection): Pick<PublicStore, 'addVisitor' | 'visitors'> {
  return {
    async addVisitor(insightId, visitor, maxVisitors) {
      await db
        .insertInto('insight_visitors')
        .values({
          insight_id: insightId,
          company: visitor.company,
          email: visitor.email,
          full_name: visitor.fullName,
          discount_code: visitor.discountCode,
          submitted_at: visitor.submittedAt,
        } as never)
        .execute()
      await db
        .deleteFrom('insight_visitors')
        .where('id', 'in', (eb) =>
          eb
            .selectFrom('insight_visitors')
            .select('id')
            .where('insight_id', '=', insightId)
            .orderBy('submitted_at', 'desc')
            .orderBy('id', 'desc')
            .offset(maxVisitors),
        )
        .execute()
    },
    async visitors(insightId, size) {
      const rows = await db
        .selectFrom('insight_visitors')
        .selectAll()
        .where('insight_id', '=', insightId)
        .orderBy('submitted_at', 'desc')
        .orderBy('id', 'desc')
        .limit(size)
        .execute()
      return rows.map((row) => ({
        company: row.company,
        email: row.email,
        fullName: row.full_name,
        discountCode: row.discount_code,
        submittedAt: row.submitted_at,
      }))
    },
  }
}
