import type { Readable } from 'node:stream'
import { readAtMost, unlessRefused, type Principal } from '@headwater/server-kit'
import type { Files } from '@headwater/files/server'
import { insightErrors, maxLogoBytes } from '../contract/index.ts'
import type { InsightAccess, InsightNames } from './insight-access.ts'
import { readBytes, type InsightFiles } from './insight-files.ts'
import type { InsightLocks } from './insight-locks.ts'

/** A picture. */
export interface Logo {
  /** Media type, detected from the content. */
  contentType: 'image/png' | 'image/jpeg'
  /** The encoded picture, at most {@link maxLogoBytes} bytes. */
  bytes: Buffer
  /** Entity tag: the quoted hash of the content. */
  etag: string
}

/** Dependencies of the logo service. */
export interface LogoServiceDependencies {
  /** Finds the insight of a logo and checks access to it. */
  insightAccess: InsightAccess
  /** Writes pictures into files. */
  insightFiles: InsightFiles
  /** Serialises changes of the same insight. */
  locks: InsightLocks
  /** Reads the files of pictures and sets the logo of an insight. */
  files: Pick<Files, 'getReadable' | 'readContent' | 'update'>
}

/** The service of logos of insights. */
export type LogoService = ReturnType<typeof createLogoService>

/**
 * Implements the logos of insights. A logo is a PNG or JPEG file in the group of the insight, detected from its bytes
 * and not from its name.
 */
export function createLogoService({ insightAccess, insightFiles, locks, files }: LogoServiceDependencies) {
  /** Returns a picture from the lake for users who can read its file. */
  async function read(principal: Principal, fid: string): Promise<Logo> {
    const file = await unlessRefused(files.getReadable(principal, fid))
    if (file === undefined || file.sizeBytes > maxLogoBytes) throw insightErrors.logoNotFound()
    const bytes = await readBytes(await files.readContent(file))
    const contentType = pictureType(bytes)
    if (contentType === undefined) throw insightErrors.logoNotFound()
    return { contentType, bytes, etag: `"${file.hash}"` }
  }

  return {
    read,

    async get(principal: Principal, names: InsightNames): Promise<Logo> {
      const { stored } = await insightAccess.toRead(principal, names)
      const { logo } = stored.fields
      if (typeof logo !== 'string' || logo === '') throw insightErrors.logoNotFound()
      return read(principal, logo)
    },

    /** Stores a picture as a file of the group and makes it the logo of the insight. Throws logoNotValid or logoTooLarge. */
    async put(principal: Principal, names: InsightNames, stream: Readable): Promise<{ logoId: string }> {
      const { group } = await insightAccess.toEdit(principal, names)
      const bytes = await readAtMost(stream, maxLogoBytes)
      if (bytes === undefined) throw insightErrors.logoTooLarge({ limitBytes: maxLogoBytes })
      const contentType = pictureType(bytes)
      if (contentType === undefined) throw insightErrors.logoNotValid()
      const logoId = await insightFiles.write(principal, {
        groupName: group.name,
        fileName: `${names.insightName}_logo.${contentType === 'image/png' ? 'png' : 'jpg'}`,
        fileType: 'SOURCE',
        content: bytes,
      })
      await locks.whileLocked([{ groupId: group.id, insightName: names.insightName }], async () => {
        // A newer version may have been saved while the picture was uploaded.
        const { fid } = await insightFiles.find(group, names.insightName)
        await files.update(principal, fid, [{ name: 'logo', value: logoId }])
      })
      return { logoId }
    },
  }
}

/** Returns the media type of a png or jpeg picture; undefined for other content. */
function pictureType(bytes: Buffer): Logo['contentType'] | undefined {
  const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
  if (
    bytes.length > 24 &&
    png.every((byte, at) => bytes[at] === byte) &&
    bytes.toString('latin1', 12, 16) === 'IHDR'
  )
    return 'image/png'
  if (bytes.length > 4 && bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg'
  return undefined
}
