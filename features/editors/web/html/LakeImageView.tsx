import { useEffect } from 'react'
import { useMutation } from '@tanstack/react-query'
import { NodeViewWrapper, ReactNodeViewRenderer, type NodeViewProps } from '@tiptap/react'
import { getFile } from '@headwater/files/contract'
import { callRaw, errorMessage, errorOf } from '@headwater/web-kit'
import { usePicture } from '../image/use-picture.ts'
import { LakeImage } from './rich-text.ts'
import styles from './RichText.module.css'

/** An image in rich text that loads the URL of its file. */
export const LakeImageWithView = LakeImage.extend({
  addNodeView: () => ReactNodeViewRenderer(LakeImageView),
})

/** Shows an image. For a lake file, it fetches the file definition, whose `Location` is the URL of the content. */
function LakeImageView({ node, selected }: NodeViewProps) {
  const { fileId, src, alt } = node.attrs as {
    fileId: string | null
    src: string | null
    alt: string | null
  }
  const content = useMutation({ mutationFn: contentOf })
  const { mutate } = content
  useEffect(() => {
    if (fileId !== null) mutate(fileId)
  }, [fileId, mutate])
  const picture = usePicture(content.data)
  const source = fileId === null ? src : picture?.address
  const problem = content.error
    ? errorMessage(content.error)
    : picture?.refusal && 'Image could not be loaded.'
  return (
    <NodeViewWrapper as="span" className={styles.image} data-selected={selected || undefined}>
      {problem === undefined ? null : <span role="alert">{problem}</span>}
      {source === undefined || source === null ? null : <img src={source} alt={alt ?? ''} />}
    </NodeViewWrapper>
  )
}

async function contentOf(fid: string): Promise<Blob> {
  const { headers } = await callRaw(getFile, { params: { fid } })
  const location = headers.get('Location')
  if (location === null) throw new Error('The file of this image has no content address.')
  const { pathname, search } = new URL(location)
  const response = await fetch(pathname + search)
  if (!response.ok) throw await errorOf(response)
  return response.blob()
}
