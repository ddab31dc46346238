import { searchFiles, type File } from '@headwater/files/contract'
import { ApiError, call } from '@headwater/web-kit'
import type { FileReference } from '../../contract/index.ts'

/** Number of matches to read for a name with `*`, which matches any text in a search. */
const wildcardMatches = 20

/**
 * Returns the newest version of a file.
 * @throws ApiError with status 404 when the user can see no such file
 */
export async function findLakeFile(
  { groupName, fileName }: FileReference,
  signal: AbortSignal,
): Promise<File> {
  const size = `${groupName}${fileName}`.includes('*') ? wildcardMatches : 1
  const query = { query: `groupName=${groupName}&name=${fileName}`, latest: true, size }
  const { items } = await call(searchFiles, { query }, { signal })
  const match = items.find((item) => item.fileName === fileName && item.groupName === groupName)
  if (match === undefined)
    throw new ApiError({
      status: 404,
      code: 'fileNotFound',
      message: `File ${fileName} not found in group ${groupName}`,
    })
  return match
}
