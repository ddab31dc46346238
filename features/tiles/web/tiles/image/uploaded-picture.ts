import { imageTypeOf, maxImageBytes } from '@headwater/editors/web'
import type { UploadKind } from '../../editor/upload-kind.ts'

/** Pictures that are uploaded for a tile. */
export const uploadedPicture: UploadKind = {
  noun: 'PNG or JPEG image',
  extensions: ['png', 'jpg', 'jpeg'],
  limitBytes: maxImageBytes,
  matches: async (content) => ['image/png', 'image/jpeg'].includes((await imageTypeOf(content)) ?? ''),
}
