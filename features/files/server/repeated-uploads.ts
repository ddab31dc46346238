import { sql, type Kysely } from 'kysely'
import { selectFiles, toStoredFile, type FileTables, type StoredFile } from './file-rows.ts'

/**
 * Marks an upload of a step as a repetition if another attempt at the step has uploaded a file with the same name, type,
 * options and content. For built-in steps, the content is not compared, because it can contain the time. Each attempt can
 * repeat a file only once, so a script that uploads the same content twice creates two versions in each attempt.
 * @param id id of the upload, whose row the transaction has locked
 * @returns whether the upload is a repetition. If so, its id leads to the file of the other attempt
 */
export async function repeatEarlierUpload(
  tx: Kysely<FileTables>,
  id: string,
  hash: string,
): Promise<boolean> {
  const step = await tx
    .selectFrom('files')
    .select(['step_id', 'step_attempt'])
    .where('id', '=', id)
    .where('step_id', 'is not', null)
    .executeTakeFirst()
  if (step === undefined) return false
  // An attempt that has lost its lease can still be storing its content.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`files of step ${step.step_id}`}, 0))`.execute(tx)
  const { rows } = await sql<{ id: string }>`
    update files set step_attempt = greatest(step_attempt, ${step.step_attempt}) where id = (
      select earlier.id from files earlier join files own
        on own.id = ${id} and earlier.step_id = own.step_id and earlier.step_attempt <> own.step_attempt
        and earlier.group_id = own.group_id and earlier.name = own.name and earlier.type = own.type
        and (earlier.partial_update, earlier.avoid_duplicates, earlier.skip_metadata)
          = (own.partial_update, own.avoid_duplicates, own.skip_metadata)
        and (earlier.hash = ${hash} or own.is_built_in_step)
      where earlier.state in ('ready', 'ingesting') order by earlier.announced_at, earlier.id limit 1
    ) returning id`.execute(tx)
  const [earlier] = rows
  if (earlier === undefined) return false
  await tx
    .updateTable('files')
    .set({ state: 'repeated', repeats: earlier.id, hash })
    .where('id', '=', id)
    .execute()
  return true
}

/** Returns the uploads that repeat a file. */
export async function listRepetitions(on: Kysely<FileTables>, id: string): Promise<StoredFile[]> {
  const rows = await selectFiles(on).where('files.repeats', '=', id).execute()
  return rows.map(toStoredFile)
}
