import { type FormControlProps, Select } from '@headwater/web-kit'
import styles from './Editor.module.css'

/** Named colours: token and label. The empty token means automatic. */
export const namedColours = [
  ['', 'Auto'],
  ['--series-1', 'Blue'],
  ['--series-2', 'Orange'],
  ['--series-3', 'Green'],
  ['--series-4', 'Red'],
  ['--series-5', 'Purple'],
  ['--series-6', 'Gold'],
  ['--series-7', 'Cyan'],
  ['--series-8', 'Brown'],
  ['--text', 'Text'],
  ['--text-3', 'Grey'],
] as const

/** A colour field: a colour of the theme, which follows light and dark mode, or a custom colour. */
export function ColorField({
  label,
  value,
  automatic,
  onChange,
}: {
  label: string
  /** The current automatic colour, as CSS. */
  automatic?: string | undefined
  /** A token such as `--series-1`, `#rrggbb`, or undefined for automatic. */
  value: string | undefined
  onChange: (color: string | undefined) => void
}) {
  const own = value !== undefined && namedColours.every(([token]) => token !== value)
  const options = [
    ...namedColours.map(([token, name]) => ({
      value: token,
      label: name,
      swatches: [token === '' ? (automatic ?? 'transparent') : `var(${token})`],
    })),
    { value: 'own', label: 'Custom colour', swatches: [own ? value : 'transparent'] },
  ]
  return (
    <div className={styles.stack}>
      <Select
        label={label}
        value={own ? 'own' : (value ?? '')}
        options={options}
        onChange={(choice) => onChange(choice === 'own' ? '#2b7bba' : choice || undefined)}
      />
      {own ? (
        <label className={styles.native}>
          <span>{label}, custom</span>
          <input type="color" value={sixDigits(value)} onChange={(event) => onChange(event.target.value)} />
        </label>
      ) : null}
    </div>
  )
}

/** A colour as a field of a form. */
export function colourControl(props: FormControlProps<string | undefined>) {
  return <ColorField {...props} />
}

/** Browser colour fields accept only `#rrggbb`. */
function sixDigits(color: string): string {
  const hex = color.slice(1)
  return `#${hex.length < 6 ? hex.slice(0, 3).replace(/./g, '$&$&') : hex.slice(0, 6)}`
}
