const RULES = `
.hw-chart{position:relative;display:flex;flex-direction:column;width:100%;height:100%;min-width:0;min-height:0;
color:var(--text,light-dark(#18212a,#e4e9ee));font-size:12px;line-height:1.35;font-variant-numeric:tabular-nums}
.hw-chart *{box-sizing:border-box}
.hw-chart-title{flex:none;margin:0 0 8px;font-weight:600;overflow-wrap:anywhere}
.hw-chart-plot{position:relative;flex:1;min-height:0;border-radius:4px;outline:none}
.hw-chart-plot:focus-visible{outline:2px solid var(--focus,light-dark(#0b6e6a,#62cfc7));outline-offset:2px}
.hw-chart canvas{position:absolute;inset:0;width:100%;height:100%}
.hw-chart-plot{user-select:none;-webkit-user-select:none;cursor:grab}
.hw-chart-over{position:absolute;touch-action:pan-y;cursor:crosshair}
.hw-panning .hw-chart-over{cursor:grabbing}
.hw-chart-line,.hw-chart-stretch{position:absolute;pointer-events:none}
.hw-chart-line{border-left:1px dotted var(--text-2,light-dark(#55616d,#a3afba))}
.hw-chart-down .hw-chart-line{border:0;border-top:1px dotted var(--text-2,light-dark(#55616d,#a3afba))}
.hw-chart-stretch{background:color-mix(in srgb,var(--accent,#0b6e6a) 12%,transparent);
outline:1px solid color-mix(in srgb,var(--accent,#0b6e6a) 60%,transparent)}
.hw-chart [hidden]{display:none}
.hw-chart-dot{position:absolute;width:8px;height:8px;margin:-4px;border-radius:50%;pointer-events:none;
border:1.5px solid var(--surface,light-dark(#fff,#151b20))}
.hw-chart-legend{flex:none;display:flex;flex-wrap:wrap;justify-content:center;gap:0 4px;margin:2px 0 -2px;padding:0;
max-height:max(24px,round(down,25%,24px));overflow:hidden;list-style:none;color:var(--text-2,light-dark(#55616d,#a3afba))}
.hw-chart-legend.hw-chart-open{max-height:60%;overflow:auto}
.hw-chart-more{all:unset;box-sizing:border-box;flex:none;align-self:center;min-height:24px;margin-top:2px;padding:2px 6px;border-radius:4px;cursor:pointer;
color:var(--accent,light-dark(#0b6e6a,#62cfc7))}
.hw-chart-more:hover{background:var(--hover,light-dark(#f0f2f4,#1e272e))}
.hw-chart-more:focus-visible{outline:2px solid var(--focus,light-dark(#0b6e6a,#62cfc7))}
.hw-chart-legend button{all:unset;box-sizing:border-box;display:flex;align-items:center;gap:6px;max-width:240px;min-height:24px;padding:2px 6px;line-height:16px;
border-radius:4px;cursor:pointer;font-size:inherit}
.hw-chart-legend button:hover{background:var(--hover,light-dark(#f0f2f4,#1e272e))}
.hw-chart-legend button:focus-visible{outline:2px solid var(--focus,light-dark(#0b6e6a,#62cfc7))}
.hw-chart-legend button[aria-pressed=false]{text-decoration:line-through;color:var(--text-3,light-dark(#6f7b87,#84919d))}
.hw-chart-legend button[aria-pressed=false] i{opacity:calc(var(--opacity)*.35)}
.hw-chart-big{font-size:14px}
.hw-chart-name{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.hw-chart-mark{flex:none;width:8px;height:3px;border-radius:2px;opacity:var(--opacity)}
.hw-chart-band{height:8px;opacity:calc(var(--opacity)*.4)}
.hw-chart-tip{position:absolute;z-index:5;left:0;top:0;pointer-events:none;min-width:120px;max-width:min(320px,100%);padding:8px 10px;
border:1px solid var(--line-strong,light-dark(#cbd2d9,#36424c));border-radius:6px;background:var(--raised,light-dark(#fff,#1b2329));
box-shadow:0 4px 14px rgb(0 0 0/.12)}
.hw-chart-tip b{display:block;margin-bottom:4px;font-weight:500}
.hw-chart-row{display:flex;align-items:center;gap:8px;line-height:18px}
.hw-chart-row .hw-chart-name{color:var(--text-2,light-dark(#55616d,#a3afba))}
.hw-chart-row data{margin-left:auto;padding-left:12px;font-weight:500;white-space:nowrap;text-align:right}
.hw-chart-row small{color:var(--text-3,light-dark(#6f7b87,#84919d));font-size:11px;white-space:nowrap}
.hw-chart-live{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
`

const done = new WeakSet<Node>()

/**
 * Adds the rules to the document (or shadow root) of the chart, once; works under a strict content policy.
 */
export function adoptStyles(container: HTMLElement): void {
  const root = container.getRootNode()
  if (done.has(root) || !('adoptedStyleSheets' in root)) return
  done.add(root)
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(RULES)
  ;(root as Document).adoptedStyleSheets.push(sheet)
}

/** Creates an element with a class and plain text. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className = '',
  text = '',
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag)
  made.className = className
  made.textContent = text
  return made
}
