import { Extension, getSchema, type Extensions } from '@tiptap/core'
import { Image } from '@tiptap/extension-image'
import { TextStyle } from '@tiptap/extension-text-style'
import { StarterKit } from '@tiptap/starter-kit'
import { DOMParser as RichParser, DOMSerializer } from '@tiptap/pm/model'

/** Font sizes of rich text, in pixels. */
export const fontSizesPx = [8, 9, 10, 11, 12, 13, 14, 16, 18, 20, 22, 24, 26, 28] as const

/** Font size of text, as `font-size` in pixels. Parses the attribute, because the content security policy ignores inline styles. */
const FontSize = Extension.create({
  name: 'fontSize',
  addGlobalAttributes: () => [
    {
      types: ['textStyle'],
      attributes: {
        fontSize: {
          default: null,
          parseHTML: (element) =>
            /(?:^|;)\s*font-size:\s*(\d+)px\s*(?:;|$)/i.exec(element.getAttribute('style') ?? '')?.[1] ??
            null,
          renderHTML: ({ fontSize }) =>
            typeof fontSize === 'string' ? { style: `font-size: ${fontSize}px` } : {},
        },
      },
    },
  ],
})

/** An image of the lake, by the id of its file in `data-file-id`, or an image with its own address. */
export const LakeImage = Image.configure({ inline: true }).extend({
  addAttributes() {
    return {
      ...this.parent?.(),
      fileId: {
        default: null,
        parseHTML: (element: HTMLElement) => element.getAttribute('data-file-id'),
        renderHTML: ({ fileId }: Record<string, unknown>) =>
          typeof fileId === 'string' ? { 'data-file-id': fileId } : {},
      },
    }
  },
  parseHTML: () => [{ tag: 'img[src]' }, { tag: 'img[data-file-id]' }],
})

/** The parts of rich text. The editor replaces the image with one that shows files. */
export const richTextParts = (image: Extensions[number] = LakeImage): Extensions => [
  StarterKit.configure({
    // A page stays unchanged until the user edits it.
    trailingNode: false,
    link: { openOnClick: false, protocols: ['http', 'https', 'mailto'], defaultProtocol: 'https' },
  }),
  TextStyle,
  FontSize,
  image,
]

/** Returns an HTML fragment as the editor would write it. */
export function asRichText(html: string): string {
  const schema = getSchema(richTextParts())
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  const content = RichParser.fromSchema(schema).parse(body).content
  const written = document.implementation.createHTMLDocument('').createElement('div')
  written.append(
    DOMSerializer.fromSchema(schema).serializeFragment(content, { document: written.ownerDocument }),
  )
  return written.innerHTML
}
