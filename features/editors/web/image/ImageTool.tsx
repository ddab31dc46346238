import { useState } from 'react'
import IconPhotoOff from '@tabler/icons-react/dist/esm/icons/IconPhotoOff.mjs'
import { Button, EmptyState, Skeleton, type ToolProps } from '@headwater/web-kit'
import { Centered, FileContent, FileToolHeader } from '../components/FileContent.tsx'
import tool from '../components/Tool.module.css'
import { maxImageBytes } from '../size-limits.ts'
import styles from './ImageTool.module.css'
import { usePicture } from './use-picture.ts'

/** Displays an image file. */
export default function ImageTool({ id }: ToolProps) {
  return (
    <FileContent fid={id} form="blob" limitBytes={maxImageBytes} confirmsLarge>
      {(file, content) => (
        <>
          <FileToolHeader file={file} />
          <Picture name={file.fileName} content={content} />
        </>
      )}
    </FileContent>
  )
}

function Picture({ name, content }: { name: string; content: Blob }) {
  const picture = usePicture(content)
  const [isBroken, setBroken] = useState(false)
  const [size, setSize] = useState<{ width: number; height: number }>()
  const [isFitted, setFitted] = useState(true)
  if (picture === undefined)
    return (
      <Centered>
        <Skeleton width={240} height={160} />
      </Centered>
    )
  if (isBroken || picture.refusal !== undefined)
    return (
      <Centered>
        <EmptyState icon={<IconPhotoOff size={20} stroke={1.6} />} title="Image could not be loaded.">
          {picture.refusal === 'heavy'
            ? 'The SVG is too complex to draw. Save it as a PNG, or simplify it.'
            : 'The file is damaged or is not a PNG, JPEG, WebP, GIF or SVG image. Download it to open it in another program.'}
        </EmptyState>
      </Centered>
    )
  return (
    <div className={tool.tool}>
      <div className={tool.bar}>
        <span>{size === undefined ? '' : `${size.width} × ${size.height} pixels`}</span>
        <span className={tool.spring} />
        <Button size="small" onClick={() => setFitted(!isFitted)}>
          {isFitted ? 'Actual size' : 'Fit'}
        </Button>
      </div>
      <div
        className={styles.frame}
        data-fitted={isFitted || undefined}
        tabIndex={0}
        role="group"
        aria-label={`Image ${name}`}
      >
        <img
          src={picture.address}
          alt={name}
          onLoad={({ currentTarget }) =>
            setSize({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight })
          }
          onError={() => setBroken(true)}
        />
      </div>
    </div>
  )
}
