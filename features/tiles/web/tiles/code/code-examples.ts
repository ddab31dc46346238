import type { CodeType } from './code-tile.ts'

/** Example code for each language. It runs with and without data. */
export const codeExamples: Readonly<Record<CodeType, string>> = {
  html: `<h3>Newest value</h3>
<p id="value"></p>
<script>
  const rows = headwater.data?.rows ?? []
  value.textContent = rows[0]?.at(-1) ?? 'Choose series under Data.'
</script>`,
  python: `rows = data["rows"] if data else []
newest = rows[0][-1] if rows else "Choose series under Data."
print(f"<h3>Newest value</h3><p>{newest}</p>")`,
}
