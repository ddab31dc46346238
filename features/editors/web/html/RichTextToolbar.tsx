import { type ReactNode, useState } from 'react'
import { type Editor, useEditorState } from '@tiptap/react'
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import IconArrowForwardUp from '@tabler/icons-react/dist/esm/icons/IconArrowForwardUp.mjs'
import IconBlockquote from '@tabler/icons-react/dist/esm/icons/IconBlockquote.mjs'
import IconBold from '@tabler/icons-react/dist/esm/icons/IconBold.mjs'
import IconItalic from '@tabler/icons-react/dist/esm/icons/IconItalic.mjs'
import IconLink from '@tabler/icons-react/dist/esm/icons/IconLink.mjs'
import IconList from '@tabler/icons-react/dist/esm/icons/IconList.mjs'
import IconListNumbers from '@tabler/icons-react/dist/esm/icons/IconListNumbers.mjs'
import IconPhoto from '@tabler/icons-react/dist/esm/icons/IconPhoto.mjs'
import IconStrikethrough from '@tabler/icons-react/dist/esm/icons/IconStrikethrough.mjs'
import IconUnderline from '@tabler/icons-react/dist/esm/icons/IconUnderline.mjs'
import { imageExtensions } from '@headwater/files/contract'
import { FilePickerDialog } from '@headwater/files/web'
import { IconButton, Select } from '@headwater/web-kit'
import { LinkDialog } from './LinkDialog.tsx'
import { fontSizesPx } from './rich-text.ts'
import styles from './RichText.module.css'

const icon = { size: 16, stroke: 1.6 } as const
const headings = [1, 2, 3] as const

/** The buttons above rich text. */
export function RichTextToolbar({ editor }: { editor: Editor }) {
  const [dialog, setDialog] = useState<'image' | 'link'>()
  const state = useEditorState({
    editor,
    selector: ({ editor: current }) => ({
      heading: headings.find((level) => current.isActive('heading', { level })),
      fontSize: (current.getAttributes('textStyle')['fontSize'] as string | undefined) ?? null,
      link: current.getAttributes('link')['href'] as string | undefined,
      active: new Set(toggles.filter(({ mark }) => current.isActive(mark)).map(({ mark }) => mark)),
      canUndo: current.can().undo(),
      canRedo: current.can().redo(),
    }),
  })
  const run = () => editor.chain().focus()
  return (
    <div className={styles.toolbar} role="toolbar" aria-label="Format">
      <Select
        label="Paragraph style"
        hideLabel
        value={state.heading === undefined ? 'text' : String(state.heading)}
        options={[
          { value: 'text', label: 'Text' },
          ...headings.map((level) => ({ value: String(level), label: `Heading ${level}` })),
        ]}
        onChange={(value) => {
          const level = headings.find((known) => String(known) === value)
          if (level === undefined) run().setParagraph().run()
          else run().setHeading({ level }).run()
        }}
      />
      <Select
        label="Font size"
        hideLabel
        clearable
        placeholder="Font size"
        value={state.fontSize}
        options={fontSizesPx.map((size) => ({ value: String(size), label: `${size} px` }))}
        onChange={(size) => run().setMark('textStyle', { fontSize: size }).removeEmptyTextStyle().run()}
      />
      {toggles.map(({ mark, label, drawn, toggle }) => (
        <IconButton
          key={mark}
          label={label}
          icon={drawn}
          active={state.active.has(mark)}
          onClick={() => toggle(run()).run()}
        />
      ))}
      <IconButton
        label="Link"
        icon={<IconLink {...icon} />}
        active={state.link !== undefined}
        onClick={() => setDialog('link')}
      />
      <IconButton label="Insert an image" icon={<IconPhoto {...icon} />} onClick={() => setDialog('image')} />
      <IconButton
        label="Undo"
        icon={<IconArrowBackUp {...icon} />}
        disabled={!state.canUndo}
        onClick={() => run().undo().run()}
      />
      <IconButton
        label="Redo"
        icon={<IconArrowForwardUp {...icon} />}
        disabled={!state.canRedo}
        onClick={() => run().redo().run()}
      />
      <LinkDialog
        open={dialog === 'link'}
        href={state.link ?? ''}
        onClose={() => setDialog(undefined)}
        onChange={(href) => {
          const selected = run().extendMarkRange('link')
          if (href === '') selected.unsetLink().run()
          else if (editor.state.selection.empty && state.link === undefined)
            run()
              .insertContent({ type: 'text', text: href, marks: [{ type: 'link', attrs: { href } }] })
              .run()
          else selected.setLink({ href }).run()
        }}
      />
      <FilePickerDialog
        open={dialog === 'image'}
        title="Choose an image"
        extensions={imageExtensions}
        onClose={() => setDialog(undefined)}
        onSelect={({ fid, fileName }) =>
          run()
            .insertContent({ type: 'image', attrs: { fileId: fid, alt: fileName } })
            .run()
        }
      />
    </div>
  )
}

type Chain = ReturnType<Editor['chain']>

const toggles: readonly { mark: string; label: string; drawn: ReactNode; toggle: (chain: Chain) => Chain }[] =
  [
    { mark: 'bold', label: 'Bold', drawn: <IconBold {...icon} />, toggle: (chain) => chain.toggleBold() },
    {
      mark: 'italic',
      label: 'Italic',
      drawn: <IconItalic {...icon} />,
      toggle: (chain) => chain.toggleItalic(),
    },
    {
      mark: 'underline',
      label: 'Underline',
      drawn: <IconUnderline {...icon} />,
      toggle: (chain) => chain.toggleUnderline(),
    },
    {
      mark: 'strike',
      label: 'Strikethrough',
      drawn: <IconStrikethrough {...icon} />,
      toggle: (chain) => chain.toggleStrike(),
    },
    {
      mark: 'bulletList',
      label: 'Bulleted list',
      drawn: <IconList {...icon} />,
      toggle: (chain) => chain.toggleBulletList(),
    },
    {
      mark: 'orderedList',
      label: 'Numbered list',
      drawn: <IconListNumbers {...icon} />,
      toggle: (chain) => chain.toggleOrderedList(),
    },
    {
      mark: 'blockquote',
      label: 'Quote',
      drawn: <IconBlockquote {...icon} />,
      toggle: (chain) => chain.toggleBlockquote(),
    },
  ]
