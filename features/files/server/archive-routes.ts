import { Readable } from 'node:stream'
import { AppError } from '@headwater/contract'
import type { Clock, Router } from '@headwater/server-kit'
import { zipOf } from '@headwater/tables'
import { createArchive, fileErrors, getArchive } from '../contract/index.ts'
import { archivePaths } from './archive-names.ts'
import { attachment } from './content-headers.ts'
import type { FileLinks } from './file-links.ts'
import type { ReadyFile } from './file-rows.ts'
import type { FilesService } from './files-service.ts'
import { downloadPermitMs, requestOrigin } from './request-origin.ts'
import { whileAllowed } from './while-allowed.ts'

/** Connects the routes of archives of files to their service. */
export function registerArchiveRoutes(
  router: Router,
  {
    files,
    links,
    clock,
    publicUrl,
  }: { files: FilesService; links: FileLinks; clock: Clock; publicUrl: string | undefined },
): void {
  /** Yields the files of an archive. The access to each file is checked again before and during its transfer. */
  async function* archiveParts(stored: readonly ReadyFile[], find: (fid: string) => Promise<ReadyFile>) {
    const paths = archivePaths(stored)
    for (const [at, { id: fid }] of stored.entries()) {
      const file = await find(fid)
      const content = whileAllowed(await files.readContent(file), () => find(fid))
      try {
        yield { path: paths[at]!, modifiedAt: file.arrivedAt, content }
      } finally {
        // If the client disconnects before the first byte, no other code closes the content.
        content.destroy()
      }
    }
  }

  router.add(createArchive, async ({ body }, { principal, request }) => {
    const ids = [...new Set(body.fileIds)]
    for (const [at, fid] of ids.entries())
      await files.getDownload(principal, fid).catch((error: unknown) => {
        throw withField(error, `fileIds[${at}]`)
      })
    const list = ids.join(',')
    const ends = new Date(clock.now().getTime() + downloadPermitMs)
    const token = links.sign('archive', list, { userId: principal.userId, ends, run: principal.run })
    return { location: `${requestOrigin(request, publicUrl)}/file/archive?files=${list}&token=${token}` }
  })

  router.add(getArchive, async ({ query }, { request, reply }) => {
    const begun = clock.now()
    const find = async (fid: string) => {
      const permit = await links.verify('archive', query.files, query.token, begun)
      if (permit === undefined) throw fileErrors.linkNotValid()
      return files.getPermitted(fid, permit.userId)
    }
    const stored: ReadyFile[] = []
    for (const fid of query.files.split(',')) stored.push(await find(fid))
    reply.headers({
      'Content-Type': 'application/zip',
      'Content-Disposition': attachment('files.zip'),
      'X-Content-Type-Options': 'nosniff',
    })
    if (request.raw.method === 'HEAD') return reply.send(Readable.from([]))
    return reply.send(
      Readable.from(zipOf(archiveParts(stored, find), { isLarge: true }), { objectMode: false }),
    )
  })
}

/** Adds the field with the rejected value to an error. */
function withField(error: unknown, field: string): unknown {
  if (!(error instanceof AppError)) return error
  const { code, status, message } = error
  return new AppError(code, status, message, [{ field, message }])
}
