import type { S3Location } from '../config.ts'
import type { ContentStore } from './content-store.ts'
import { openFolderContentStore } from './folder-content-store.ts'

/**
 * Opens the content store of a process: in a bucket if there is one, else in the folder. Only one process at a time can use the folder;
 * with a bucket it holds contents that are arriving.
 */
export async function openContentStore({
  s3,
  folder,
}: {
  s3: S3Location | undefined
  folder: string
}): Promise<ContentStore> {
  if (s3 === undefined) return openFolderContentStore(folder)
  // Most installations do without it, and loading it takes longer than all other modules of the server.
  const { openS3ContentStore } = await import('./s3-content-store.ts')
  return openS3ContentStore({ location: s3, spoolFolder: `${folder}/arriving` })
}
