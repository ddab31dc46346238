import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { formatFileSize, wildcardMatcher } from '@headwater/contract'
import type { Files } from '@headwater/files/server'
import type { StepOutcome, StepWork } from '@headwater/runs/server'
import { failed, safeFileName, storeContent, type LibraryFiles } from '../kind-parts.ts'
import { RemoteError, type RemoteConnection, type RemoteFile } from './remote-connection.ts'

/** Access to files that the sources need. The search finds fetched files by their metadata. */
export type SourceFiles = LibraryFiles & Pick<Files, 'search'>

/** Maximum number of files per execution. */
const maxFiles = 1000
/** Maximum size of a file, in bytes. */
const maxFileBytes = 50 * 1024 ** 3

/**
 * Fetches the matching files of a remote folder into a group. The metadata of each stored file contains its source and version,
 * so that later runs fetch only new files and a repeated step stores no file twice.
 * @param server URL with the user, such as `sftp://user@host:22`
 */
export async function fetchFiles(
  files: SourceFiles,
  work: StepWork,
  connection: RemoteConnection,
  server: string,
): Promise<StepOutcome> {
  const { inputs, signal } = work
  const folder = inputs.Folder || '/'
  const groupName = inputs.Group ?? ''
  const pathOf = (name: string) => `${folder.replace(/\/$/, '')}/${name}`
  const chosen: RemoteFile[] = []
  for (const file of choose(await connection.list(folder), inputs.Pattern || '*'))
    chosen.push({ ...file, modified: file.modified || (await connection.timeOf(pathOf(file.name))) })
  chosen.sort((a, b) => a.modified.localeCompare(b.modified) || a.name.localeCompare(b.name))
  const values: string[] = []
  let [count, sizeBytes] = [0, 0]
  for (const file of chosen) {
    signal.throwIfAborted()
    const path = pathOf(file.name)
    const source = { url: `${server}${path}`, id: idOf(server, path, file), step: work.eId }
    const stored = await findFetched(files, work, { groupName, sourceId: source.id })
    const isOfStep = stored?.step === work.eId
    if (stored !== undefined && (isOfStep || inputs.Fetch !== 'all')) {
      // An earlier attempt at this step stored it, so it belongs to the outputs, too.
      if (isOfStep) values.push(stored.value)
      continue
    }
    await work.report(`Fetching ${file.name} (${formatFileSize(file.sizeBytes)}).`)
    const content = await connection.read(path, file.sizeBytes)
    const target = {
      groupName,
      fileName: safeFileName(file.name, 'file'),
      fileType: inputs['Store as'] === 'series' ? 'NCSV' : 'SOURCE',
      fields: [
        { name: 'source', value: source.url },
        { name: 'sourceId', value: source.id },
        { name: 'sourceStep', value: source.step },
      ],
    }
    const stream = withSizeCheck(content, file)
    const result = await storeContent(files, work, target, stream).catch((error: unknown) => {
      content.destroy()
      throw stream.errored ?? error
    })
    if (result.status === 'REJECTED') return failed(`${file.name}: ${result.message}`)
    values.push(result.value)
    count++
    sizeBytes += result.size
  }
  const outputs = { Files: JSON.stringify(values), Count: String(values.length), File: values.at(-1) ?? '' }
  const message =
    count === 0
      ? `No new files. ${chosen.length.toLocaleString('en')} files match the pattern.`
      : `Stored ${count.toLocaleString('en')} of ${chosen.length.toLocaleString('en')} matching files (${formatFileSize(sizeBytes)}) in ${groupName}.`
  return { status: 'INFO', message, outputs }
}

/** Returns the matching files. Rejects the whole list if a name could leave the folder. */
function choose(listed: readonly RemoteFile[], pattern: string): RemoteFile[] {
  const wrong = listed.find(({ name }) => name === '' || /^\.{1,2}$|[/\\\p{Cc}]/u.test(name))
  if (wrong !== undefined)
    throw new RemoteError(
      `The server lists a file with the name ${JSON.stringify(wrong.name.slice(0, 100))}, which contains a path. Nothing was fetched.`,
    )
  const matches = wildcardMatcher(pattern, { matchCase: true })
  const chosen = listed.filter(({ name }) => matches(name))
  if (chosen.length > maxFiles)
    throw new RemoteError(
      `${chosen.length.toLocaleString('en')} files match the pattern; at most ${maxFiles.toLocaleString('en')} can be fetched in one run. Use a narrower pattern.`,
    )
  const large = chosen.find(({ sizeBytes }) => !(sizeBytes >= 0 && sizeBytes <= maxFileBytes))
  if (large !== undefined)
    throw new RemoteError(
      `${large.name} is larger than ${formatFileSize(maxFileBytes)}. Use a narrower pattern.`,
    )
  return chosen
}

/** Identifies a version of a remote file. */
function idOf(server: string, path: string, { sizeBytes, modified }: RemoteFile): string {
  return createHash('sha256')
    .update(JSON.stringify([server, path, sizeBytes, modified]))
    .digest('hex')
}

/** Returns the stored file for a version of a remote file, and the step that stored it. */
async function findFetched(
  files: SourceFiles,
  { principal, eId }: StepWork,
  { groupName, sourceId }: { groupName: string; sourceId: string },
): Promise<{ value: string; step: string } | undefined> {
  const query = {
    query: `fields.sourceId=${sourceId}`,
    from: 0,
    size: 100,
    withStatus: false,
    sortBy: 'arrivalTime',
  }
  const { items } = await files.search(principal, query)
  const inGroup = items.filter((file) => file.groupName === groupName)
  const match = inGroup.find(({ fields }) => fields.sourceStep === eId) ?? inGroup[0]
  if (match === undefined) return undefined
  return {
    value: JSON.stringify({ id: match.id, name: match.name, groupName }),
    step: String(match.fields.sourceStep ?? ''),
  }
}

/** Forwards content. Fails if its size differs from the listed size, for example because the file is being written. */
function withSizeCheck(content: Readable, { name, sizeBytes }: RemoteFile): Readable {
  async function* counted() {
    let size = 0
    for await (const chunk of content) {
      size += (chunk as Buffer).length
      if (size > sizeBytes) break
      yield chunk as Buffer
    }
    if (size !== sizeBytes)
      throw new RemoteError(
        `${name} changed while it was read. Run the task again when the file is complete.`,
      )
  }
  return Readable.from(counted(), { objectMode: false })
}
