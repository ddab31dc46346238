import type { S3Location } from '../config.ts'
import type { ContentStore } from './content-store.ts'
import { openFolderContentStore } from './folder-content-store.ts'

/**
 * Opens the content store of a process: in a bucket if one is configured, otherwise in the folder. Only one process at
 * a time can use the folder. With a bucket, the folder contains uploads in progress.
 */
export async function openContentStore({
  s3,
  folder,
}: {
  s3: S3Location | undefined
  folder: string
}): Promise<ContentStore> {
  if (s3 === undefined) return openFolderContentStore(folder)
  // Loaded only on use: most installations do not need it, and it takes longer to load than all other server modules.
  const { openS3ContentStore } = await import('./s3-content-store.ts')
  return openS3ContentStore({ location: s3, spoolFolder: `${folder}/arriving` })
}
