import { sql } from 'kysely'
import { containsPattern } from '@headwater/server-kit'
import type { JobStatus, JobType } from '../contract/index.ts'
import type { Visibility } from './visibility.ts'

/** Filters of jobs. A job must match all of them. */
export interface JobFilter {
  /** What the caller can see. */
  visibleTo: Visibility
  /** Only this job. */
  jobId?: string | undefined
  /** Only jobs of this owner. */
  ownerId?: number | undefined
  /** Only jobs with this text in the name or group name; `*` is a wildcard. */
  text?: string | undefined
  /** Only jobs of these kinds. */
  types?: JobType[] | undefined
  /** Only jobs with one of these statuses. */
  statuses?: JobStatus[] | undefined
  /** Only jobs with exactly this name. */
  name?: string | undefined
  /** Only jobs of exactly this group. */
  groupName?: string | undefined
  /** Only jobs with this tag. */
  tag?: string | undefined
  /** Only runs of these pipelines. */
  rootIds?: string[] | undefined
  /** Only the newest job of each item. */
  newestOnly: boolean
  /** Number of jobs to skip. */
  from: number
  /** Maximum number of jobs. */
  size: number
}

/** Returns the conditions of a filter on the table `jobs`. */
export function conditionsOf(filter: JobFilter) {
  const conditions = [sql<boolean>`true`]
  if (filter.visibleTo !== 'everything')
    conditions.push(
      sql<boolean>`(jobs.owner_id = ${filter.visibleTo.userId} or jobs.group_id = any(${filter.visibleTo.groupIds}::bigint[]))`,
    )
  if (filter.jobId !== undefined) conditions.push(sql<boolean>`jobs.id = ${filter.jobId}::uuid`)
  if (filter.ownerId !== undefined) conditions.push(sql<boolean>`jobs.owner_id = ${filter.ownerId}`)
  if (filter.text !== undefined)
    conditions.push(
      sql<boolean>`lower(jobs.name || ' ' || jobs.group_name) like lower(${containsPattern(filter.text)})`,
    )
  if (filter.types !== undefined) conditions.push(sql<boolean>`jobs.type = any(${filter.types}::text[])`)
  if (filter.statuses !== undefined)
    conditions.push(sql<boolean>`jobs.status = any(${filter.statuses}::text[])`)
  if (filter.name !== undefined) conditions.push(sql<boolean>`jobs.name = ${filter.name}`)
  if (filter.groupName !== undefined) conditions.push(sql<boolean>`jobs.group_name = ${filter.groupName}`)
  if (filter.tag !== undefined) conditions.push(sql<boolean>`jobs.tags @> array[${filter.tag}]::text[]`)
  if (filter.rootIds !== undefined)
    conditions.push(sql<boolean>`jobs.root_id = any(${filter.rootIds}::text[])`)
  if (filter.newestOnly)
    conditions.push(sql<boolean>`exists (select from newest_jobs where newest_jobs.job_id = jobs.id)`)
  return conditions
}
