// Goals for large uploads in parts, for streams of a share with a range, and for restoring a large group.
import { execFile } from 'node:child_process'
import { open, rm } from 'node:fs/promises'
import { request, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import type { FileTicket } from '@headwater/files/contract'
import { atMost, median, type Figure } from './figure.ts'
import { withLake, type Lake, type LakeUser } from './lake/open-lake.ts'

const run = promisify(execFile)
/** Fraction of the full size, to try the benchmark; its figures are not valid. */
const scale = Number(process.env.HEADWATER_BENCH_SCALE ?? 1)
const mebibyte = 1024 * 1024
const partBytes = 8 * mebibyte
const partCount = Math.max(4, Math.round(600 * scale))
const partsAtOnce = 3
const symbolCount = 500
const pointsOfSymbol = Math.max(20, Math.round(2000 * scale))
const fileCount = Math.round(10_000 * scale)
const rounds = 5

/** Measures on one data folder. */
export default function lakeTransfers(): Promise<Figure[]> {
  return withLake(async (lake) => {
    const owner = await lake.createUser('owner@example.com')
    const limited = await lake.createUser('limited@example.com')
    await owner.send('POST', '/file/group', { name: 'Large' })
    const upload = await measureUpload(lake, owner)
    await uploadSeries(owner)
    return [upload, await measureRange(owner, limited), await measureRestoration(lake, owner)]
  })
}

/** Sends parts as the web application does: 8 MiB, three at a time, with checksums. */
async function measureUpload({ folder }: Lake, owner: LakeUser): Promise<Figure> {
  const [source, copy] = [join(folder, 'source.bin'), join(folder, 'copy.bin')]
  const handle = await open(source, 'w+')
  try {
    const bytes = Buffer.alloc(partBytes)
    for (let part = 0; part < partCount; part++) {
      for (let at = 0; at < partBytes; at += 4096) bytes.writeUInt32LE((part * partBytes + at) / 4096, at)
      await handle.write(bytes)
    }
    await handle.sync()
    const peerStart = performance.now()
    await run('cp', [source, copy])
    const { stdout } = await run('sha256sum', [copy])
    const peerMs = performance.now() - peerStart
    await rm(copy)

    const start = performance.now()
    const ticket = { groupName: 'Large', fileName: 'large.bin' }
    const { fileId, permit, location } = await owner.send<FileTicket>('POST', '/file', ticket)
    let next = 0
    const sendParts = async () => {
      const body = Buffer.alloc(partBytes)
      for (let part = next++; part < partCount; part = next++) {
        await handle.read(body, 0, partBytes, part * partBytes)
        // As in a browser, the checksum is computed outside the main thread.
        const checksum = Buffer.from(await crypto.subtle.digest('SHA-256', body)).toString('hex')
        await putPart(new URL(`/file/${fileId}/parts/${part + 1}?token=${permit}`, location), body, checksum)
      }
    }
    await Promise.all(Array.from({ length: partsAtOnce }, sendParts))
    const { sha256 } = await owner.send<{ sha256: string }>(
      'POST',
      `/file/${fileId}/parts/complete?token=${permit}`,
      { parts: partCount, size: partCount * partBytes },
    )
    const ms = performance.now() - start
    if (sha256 !== stdout.split(' ')[0]) throw new Error('The uploaded content differs.')
    return {
      name: `upload of ${((partCount * partBytes) / 1e9).toFixed(1)} GB in parts`,
      value: (partCount * partBytes) / 1000 / ms,
      unit: 'MB/s',
      peer: 'cp and sha256sum',
      ratio: peerMs / ms,
      goal: '≥ 0.6 × peer',
      holds: peerMs / ms >= 0.6,
    }
  } finally {
    await handle.close()
    await rm(source)
    await rm(copy, { force: true })
  }
}

/** Sends a part without the copies of `fetch`, which need as much processor time as the server. */
async function putPart(url: URL, body: Buffer, checksum: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const headers = {
    'Content-Type': 'application/octet-stream',
    'Content-Length': body.length,
    'X-Content-SHA256': checksum,
  }
  request(url, { method: 'PUT', headers }, resolve).on('error', reject).end(body)
  const response = await promise
  const message = await text(response)
  if (response.statusCode !== 200)
    throw new Error(`A part was refused with ${response.statusCode}: ${message}`)
}

async function uploadSeries(owner: LakeUser): Promise<void> {
  const lines = ['Code,Date,Open,Close\n']
  for (let symbol = 0; symbol < symbolCount; symbol++)
    for (let point = 0; point < pointsOfSymbol; point++)
      lines.push(`S${symbol},${new Date(point * 3_600_000).toISOString()},${point}.25,${symbol}.5\n`)
  const { location } = await owner.send<{ location: string }>('POST', '/file', {
    groupName: 'Large',
    fileName: 'series.csv',
    fileType: 'NCSV',
  })
  const receipt = await owner.fetch(location, { method: 'PUT', body: lines.join('') })
  const { jobId } = (await receipt.json()) as { jobId: string }
  for (;;) {
    const response = await owner.fetch(`/status?jobId=${jobId}`)
    const { items } = (await response.json()) as { items: { endTime?: string }[] }
    if (items[0]?.endTime !== undefined) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** The range contains all points, so both results are the same. */
async function measureRange(owner: LakeUser, limited: LakeUser): Promise<Figure> {
  const share = { email: limited.userName, groupName: 'Large', access: 'R' }
  const range = { dataStart: '1960-01-01', dataEnd: '2099-12-31' }
  await owner.send('POST', '/file/group/share', { sharesList: [{ ...share, ...range }] })
  const read = async (user: LakeUser) => {
    const start = performance.now()
    const headers = { 'Content-Type': 'application/json', 'Accept-Encoding': 'identity' }
    const body = JSON.stringify({ groupName: 'Large' })
    const response = await user.fetch('/ts/stream', { method: 'POST', headers, body })
    let bytes = 0
    for await (const chunk of response.body!) bytes += chunk.length
    return { ms: performance.now() - start, bytes }
  }
  const times = { owner: [] as number[], limited: [] as number[] }
  for (let round = 0; round <= rounds; round++) {
    const [whole, within] = [await read(owner), await read(limited)]
    if (whole.bytes !== within.bytes) throw new Error('The results differ.')
    // The first round fills caches.
    if (round === 0) continue
    times.owner.push(whole.ms)
    times.limited.push(within.ms)
  }
  const ratio = median(times.owner) / median(times.limited)
  return {
    name: `/ts/stream of ${symbolCount * pointsOfSymbol} points within a range`,
    value: median(times.limited),
    unit: 'ms',
    peer: 'the owner of the group',
    ratio,
    goal: '≥ 0.91 × peer',
    holds: ratio >= 1 / 1.1,
  }
}

async function measureRestoration({ database: { pool } }: Lake, owner: LakeUser): Promise<Figure> {
  await pool.query(
    `insert into files (id, group_id, name, type, owner_id, saved_by, zipped, fields, partial_update, avoid_duplicates, skip_metadata,
       job_id, state, hash, size_bytes, version, latest, arrival, arrived_at, announced_at)
     select gen_random_uuid(), groups.id, 'file ' || number, 'SOURCE', owner_id, owner_id, false, '{}', false, false, false,
       gen_random_uuid(), 'ready', encode(sha256(number::text::bytea), 'hex'), number, 1, true, nextval('file_arrivals'), now(), now()
     from generate_series(1, $1) number, groups where groups.name = 'Large'`,
    [fileCount],
  )
  const { rows } = await pool.query<{ id: string }>(`select id from groups where name = 'Large'`)
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    await owner.send('DELETE', '/file/group/Large', {})
    const start = performance.now()
    await owner.send('POST', `/trash/groups/${rows[0]!.id}/restore`, {})
    const { totalSize } = await ((
      await owner.fetch('/file/search?groupName=Large&size=1&exactTotal=true')
    ).json() as Promise<{ totalSize: number }>)
    times.push(performance.now() - start)
    if (totalSize < fileCount) throw new Error(`${totalSize} files after the restoration.`)
  }
  return atMost(2000, {
    name: `a group with ${fileCount} files and ${symbolCount * pointsOfSymbol} points restored and listed`,
    value: median(times),
    unit: 'ms',
  })
}
