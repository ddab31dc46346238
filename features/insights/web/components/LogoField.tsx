import { useEffect, useId, useMemo, useState } from 'react'
import { Button, Field } from '@headwater/web-kit'
import { maxLogoBytes } from '../../contract/index.ts'
import { type InsightName, useLogo } from '../insights-client.ts'
import styles from './LogoField.module.css'

const imageTypes = ['image/png', 'image/jpeg']

/** Field for the logo of an insight: one PNG or JPEG image. */
export function LogoField({
  present,
  chosen,
  error,
  onChange,
}: {
  present: { name: InsightName; id: string | undefined } | undefined
  /** The selected file; null removes the current logo, undefined leaves it unchanged. */
  chosen: File | null | undefined
  error: string | undefined
  onChange: (logo: File | null | undefined) => void
}) {
  const id = useId()
  const [problem, setProblem] = useState<string>()
  const stored = useLogo(present?.name ?? { groupName: '', insightName: '' }, present?.id)
  const preview = usePreview(chosen)
  const source = preview ?? (chosen === null ? undefined : stored.data)

  function choose(files: ArrayLike<File> | null) {
    const [file, ...others] = Array.from(files ?? [])
    if (file === undefined) return
    const problemOfFile =
      others.length > 0
        ? 'A logo is a single image. Choose one file.'
        : !imageTypes.includes(file.type)
          ? 'A logo must be a PNG or JPEG image. Choose another file.'
          : file.size > maxLogoBytes
            ? 'A logo can be at most 1 MB. Choose a smaller image.'
            : undefined
    setProblem(problemOfFile)
    if (problemOfFile === undefined) onChange(file)
  }
  return (
    <Field label="Logo" error={problem ?? error}>
      {(control) => (
        <div className={styles.row}>
          {source === undefined ? null : <img className={styles.picture} src={source} alt="The logo" />}
          <input
            {...control}
            id={id}
            className="visually-hidden"
            type="file"
            accept={imageTypes.join(',')}
            aria-label="Logo"
            onChange={(event) => {
              choose(event.target.files)
              event.target.value = ''
            }}
          />
          <Button onClick={() => document.getElementById(id)?.click()}>
            {source === undefined ? 'Choose an image' : 'Choose another image'}
          </Button>
          {source === undefined ? null : (
            <Button
              onClick={() => {
                setProblem(undefined)
                onChange(present?.id === undefined ? undefined : null)
              }}
            >
              Remove
            </Button>
          )}
        </div>
      )}
    </Field>
  )
}

function usePreview(file: File | null | undefined): string | undefined {
  const url = useMemo(() => (file ? URL.createObjectURL(file) : undefined), [file])
  useEffect(
    () => () => {
      if (url !== undefined) URL.revokeObjectURL(url)
    },
    [url],
  )
  return url
}
