import { useEffect, useState } from 'react'
import { imageTypeOf } from './image-type.ts'
import { isHeavySvg, maxSvgBytes, readSvg } from './svg-cost.ts'

/** Reason why the browser does not draw a picture: the file is not a picture, or drawing takes too long. */
export type PictureRefusal = 'none' | 'heavy'

/** A picture on this page: its URL, or the reason why it is not drawn. */
export type Picture =
  { address: string; refusal?: undefined } | { address?: undefined; refusal: PictureRefusal }

/** Returns a file as an image; undefined while it is being checked. */
export function usePicture(content: Blob | undefined): Picture | undefined {
  const [picture, setPicture] = useState<Picture>()
  useEffect(() => {
    if (content === undefined) return
    let address: string | undefined
    let gone = false
    void typeOrRefusal(content).then((result) => {
      if (gone) return
      if (result.refusal !== undefined) return setPicture({ refusal: result.refusal })
      address = URL.createObjectURL(new Blob([content], { type: result.type }))
      setPicture({ address })
    })
    return () => {
      gone = true
      if (address !== undefined) URL.revokeObjectURL(address)
    }
  }, [content])
  return content === undefined ? undefined : picture
}

/** Returns the media type for drawing a picture, or the reason why it is not drawn. */
async function typeOrRefusal(
  content: Blob,
): Promise<{ type: string; refusal?: undefined } | { refusal: PictureRefusal }> {
  const type = await imageTypeOf(content)
  if (type === undefined) return { refusal: 'none' }
  if (type !== 'image/svg+xml') return { type }
  if (content.size > maxSvgBytes) return { refusal: 'heavy' }
  const svg = readSvg(await content.text())
  if (svg === undefined) return { refusal: 'none' }
  return isHeavySvg(svg) ? { refusal: 'heavy' } : { type }
}
