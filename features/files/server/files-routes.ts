import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { abortedByClose, type Clock, type Principal, type Router } from '@headwater/server-kit'
import {
  completeParts,
  createFile,
  deleteMapping,
  deleteFile,
  downloadFile,
  fileErrors,
  getContent,
  getFile,
  getFileSize,
  getMarkdown,
  listFileVersions,
  listMappings,
  listParts,
  previewSeries,
  previewTable,
  putContent,
  putPart,
  saveMapping,
  saveMarkdown,
  searchFiles,
  transferOwnership,
  updateFile,
  validateNcsv as validateNcsvRoute,
} from '../contract/index.ts'
import { registerArchiveRoutes } from './archive-routes.ts'
import { announcedHash, attachment, parseRange } from './content-headers.ts'
import type { CsvMappingsService } from './csv-mappings-service.ts'
import type { FileLinks } from './file-links.ts'
import type { FilesService } from './files-service.ts'
import type { ReadyFile } from './file-rows.ts'
import type { UploadsService } from './uploads-service.ts'
import { downloadPermitMs, requestOrigin } from './request-origin.ts'
import { whileAllowed } from './while-allowed.ts'
import { validateNcsv } from './validate-ncsv.ts'

/** Options of the routes of files. */
interface FilesRoutesOptions {
  files: FilesService
  uploads: UploadsService
  mappings: CsvMappingsService
  links: FileLinks
  /** Returns the principal of an active user. */
  findPrincipal: (userId: number) => Promise<Principal | undefined>
  clock: Clock
  publicUrl: string | undefined
}

/** Connects the routes of files to their services. */
export function registerFilesRoutes(router: Router, options: FilesRoutesOptions): void {
  const { files, uploads, mappings, links, clock, publicUrl } = options

  function contentAddress(request: FastifyRequest, fileId: string, token: string): string {
    return `${requestOrigin(request, publicUrl)}/file/${fileId}/content?token=${token}`
  }

  /** Sends the content of the file that `find` returns. Calls `find` again during the transfer to check the access. */
  async function sendContent(find: () => Promise<ReadyFile>, request: FastifyRequest, reply: FastifyReply) {
    const file = await find()
    const etag = `"${file.hash}"`
    reply.headers({
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': attachment(file.name),
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'X-Content-Type-Options': 'nosniff',
      'Accept-Ranges': 'bytes',
      ETag: etag,
    })
    const ifRange = request.headers['if-range']
    const wanted = ifRange === undefined || ifRange === etag ? request.headers.range : undefined
    const range = rangeOf(wanted, file.sizeBytes, reply)
    const lengthBytes = range === undefined ? file.sizeBytes : range.end - range.start + 1
    reply.header('Content-Length', lengthBytes)
    if (range !== undefined)
      reply.code(206).header('Content-Range', `bytes ${range.start}-${range.end}/${file.sizeBytes}`)
    // The same handler responds to HEAD requests, which need no content.
    if (request.raw.method === 'HEAD') return reply.send(Readable.from([]))
    return reply.send(whileAllowed(await files.readContent(file, range), find))
  }

  /**
   * Returns a check for use during a transfer. It also checks the account again, because the principal dates from the start
   * of the request.
   */
  function whilePermitted(principal: Principal, fid: string, find: () => Promise<ReadyFile>) {
    return async () => {
      const file = await find()
      await files.getPermitted(fid, principal.userId)
      return file
    }
  }

  router.add(searchFiles, ({ query }, { principal }) => files.search(principal, query))

  router.add(validateNcsvRoute, ({ body }) => validateNcsv(body))

  router.add(listMappings, async ({ query }, { principal }) => ({
    items: await mappings.list(principal, query.groupName),
  }))

  router.add(saveMapping, ({ body }, { principal }) => mappings.save(principal, body))

  router.add(deleteMapping, async ({ query }, { principal }) => {
    await mappings.remove(principal, query)
    return {}
  })

  router.add(previewSeries, ({ params }, { principal }) => files.previewSeries(principal, params.fid))

  router.add(previewTable, ({ params, query }, { principal, reply }) =>
    files.previewTable(principal, params.fid, { ...query, signal: abortedByClose(reply.raw).signal }),
  )

  router.add(createFile, async ({ body }, { principal, request, reply }) => {
    const { fileId, jobId, token } = await uploads.create(principal, body, headerOf(request, 'x-kh-job-id'))
    reply.header('X-KH-JOB-ID', jobId)
    return { location: contentAddress(request, fileId, token), fileId, permit: token }
  })

  router.add(putContent, async ({ params, query }, { request, reply }) => {
    await nameUploader(options, request, params.fid, query.token)
    const receipt = await uploads.putContent(params.fid, query.token, {
      ...sentContent(request),
      basedOn: query.basedOn === 'none' ? null : query.basedOn,
      keepsMetadata: query.keepsMetadata,
      byLink: true,
    })
    reply.headers({ 'X-Content-SHA256': receipt.sha256, 'X-KH-JOB-ID': receipt.jobId })
    return receipt
  })

  router.add(putPart, ({ params, query }, { request }) =>
    uploads.putPart(params.fid, query.token, params.number, sentContent(request)),
  )

  router.add(listParts, async ({ params, query }) => ({
    parts: await uploads.listParts(params.fid, query.token),
  }))

  router.add(completeParts, async ({ params, query, body }, { request, reply }) => {
    await nameUploader(options, request, params.fid, query.token)
    const basedOn = query.basedOn === 'none' ? null : query.basedOn
    const receipt = await uploads.completeParts(params.fid, query.token, { ...body, basedOn })
    reply.headers({ 'X-Content-SHA256': receipt.sha256, 'X-KH-JOB-ID': receipt.jobId })
    return receipt
  })

  router.add(getContent, async ({ params, query }, { request, reply }) => {
    const begun = clock.now()
    const find = async () => {
      const permit = await links.verify('download', params.fid, query.token, begun)
      if (permit === undefined) throw fileErrors.linkNotValid()
      return files.getPermitted(params.fid, permit.userId)
    }
    return sendContent(find, request, reply)
  })

  registerArchiveRoutes(router, options)

  router.add(downloadFile, async ({ params }, { principal, request, reply }) =>
    sendContent(
      whilePermitted(principal, params.fid, () => files.getDownload(principal, params.fid)),
      request,
      reply,
    ),
  )

  router.add(getMarkdown, ({ params }, { principal, request, reply }) =>
    sendContent(
      whilePermitted(principal, params.fid, () => files.getMarkdown(principal, params.fid, 'R')),
      request,
      reply,
    ),
  )

  router.add(saveMarkdown, async ({ params, query }, { principal, request, reply }) => {
    const base = await files.getMarkdown(principal, params.fid, 'RW')
    const receipt = await uploads.saveVersion(principal, base, sentContent(request), {
      fileType: query.fileType,
      jobHeader: headerOf(request, 'x-kh-job-id'),
    })
    reply.headers({ 'X-Content-SHA256': receipt.sha256, 'X-KH-JOB-ID': receipt.jobId })
    return receipt
  })

  router.add(getFile, async ({ params }, { principal, request, reply }) => {
    const file = await files.get(principal, params.fid)
    const ends = new Date(clock.now().getTime() + downloadPermitMs)
    const token = links.sign('download', file.fid, { userId: principal.userId, ends, run: principal.run })
    reply.header('Location', contentAddress(request, file.fid, token))
    return file
  })

  router.add(getFileSize, async ({ params }, { principal }) => ({
    size: (await files.get(principal, params.fid)).size,
  }))

  router.add(listFileVersions, ({ params, query }, { principal }) =>
    files.listVersions(principal, params.fid, query),
  )

  router.add(updateFile, ({ params, body }, { principal }) =>
    files.update(principal, params.fid, body.fields, body.basedOn),
  )

  router.add(transferOwnership, async ({ body }, { principal }) => ({
    transferred: await files.transferOwnership(principal, body),
  }))

  router.add(deleteFile, async ({ params }, { principal }) => {
    await files.remove(principal, params.fid)
    return {}
  })
}

/** Adds the user of an upload permit to the audit log. */
async function nameUploader(
  { links, findPrincipal, clock }: FilesRoutesOptions,
  request: FastifyRequest,
  fileId: string,
  token: string,
): Promise<void> {
  if (request.principal !== undefined) return
  const permit = await links.verify('upload', fileId, token, clock.now())
  const user = permit && (await findPrincipal(permit.userId))
  if (user !== undefined)
    request.namedUser = { userId: user.userId, userName: user.userName, runId: permit?.runId }
}

/** Returns the content of a request, with the size and checksum in its headers. */
function sentContent(request: FastifyRequest) {
  const length = headerOf(request, 'content-length')
  return {
    stream: request.body instanceof Readable ? request.body : Readable.from([]),
    announcedBytes: length === undefined ? undefined : Number(length),
    announcedHash: announcedHash(request.headers),
    ownsChunks: true,
  }
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}

function rangeOf(header: string | undefined, sizeBytes: number, reply: FastifyReply) {
  try {
    return parseRange(header, sizeBytes)
  } catch (error) {
    reply.headers({ 'Content-Range': `bytes */${sizeBytes}` })
    reply.removeHeader('Content-Disposition')
    throw error
  }
}
