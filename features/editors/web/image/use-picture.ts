import { useEffect, useState } from 'react'
import { imageTypeOf } from './image-type.ts'
import { isHeavySvg, maxSvgBytes, readSvg } from './svg-weight.ts'

/** Why a picture is not shown: it is none, or it takes too long to draw. */
export type PictureRefusal = 'none' | 'heavy'

/** A picture in this page: its address, or why it is not shown. */
export type Picture =
  { address: string; refusal?: undefined } | { address?: undefined; refusal: PictureRefusal }

/** A file as a picture of this page; undefined while that is not known. */
export function usePicture(content: Blob | undefined): Picture | undefined {
  const [picture, setPicture] = useState<Picture>()
  useEffect(() => {
    if (content === undefined) return
    let address: string | undefined
    let gone = false
    void shownAs(content).then((shown) => {
      if (gone) return
      if (shown.refusal !== undefined) return setPicture({ refusal: shown.refusal })
      address = URL.createObjectURL(new Blob([content], { type: shown.type }))
      setPicture({ address })
    })
    return () => {
      gone = true
      if (address !== undefined) URL.revokeObjectURL(address)
    }
  }, [content])
  return content === undefined ? undefined : picture
}

/** The type a picture is shown as, or why it is not. */
async function shownAs(
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
