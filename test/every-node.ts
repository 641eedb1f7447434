/** Markdown with every block, inline and mark of the document model. */
export const EVERY_NODE = `
Text **bold** _italic_ ~~no~~ \`code\` <kbd>K</kbd> a<sup>b</sup><sub>c</sub> <mark style="color:red;background-color:blue;">m</mark>
[link](https://x.org) [x](a.md "mention") ![alt](s.png "caption") <img src="a.png" alt="" data-size="line"> and
<picture><source srcset="d.png" media="(prefers-color-scheme: dark)"><img src="a.png" alt=""></picture> emoji
<span data-gb-custom-inline data-tag="emoji" data-code="2728">✨</span> <i class="fa-x">:x:</i> $$f$$
<code class="expression">a.b</code> <a href="u" class="button primary" data-icon="x">B</a>
<button type="button" class="button secondary" data-action="ask" data-query="q">Ask</button> [noted](#user-content-fn-1)[^1]

## One <a href="#one" id="one"></a>

### Two

<h4 align="center">Three</h4>

<p align="center">Aligned</p>

* item

  3. nested

- [x] done

> quote

***

{% code title="T" overflow="wrap" lineNumbers="true" expandable="true" collapsedLineCount="3" %}
\`\`\`js
code
\`\`\`
{% endcode %}

<pre class="language-js"><code class="lang-js"><strong>high
</strong>low <code class="expression">a.b</code>
</code></pre>

{% hint style="warning" icon="books" %}
hint
{% endhint %}

{% tabs fullWidth="true" %}
{% tab title="T" icon="x" %}
tab
{% endtab %}
{% endtabs %}

{% stepper %}
{% step icon="x" %}
### Step
{% endstep %}
{% endstepper %}

{% columns fullWidth="true" %}
{% column width="50%" valign="top" %}
a
{% endcolumn %}
{% endcolumns %}

{% if a.b %}
if
{% endif %}

{% updates format="full" %}
{% update date="2025-12-25" tags="a,b" %}
u
{% endupdate %}
{% endupdates %}

{% prompt description="d" icon="x" openInAIProviders="true" defaultExpanded="full" %}
p
{% endprompt %}

<details open>

<summary>Title</summary>

Body

</details>

<div align="left" data-full-width="true" data-with-frame="true"><figure><img src="a.png" alt="alt" width="50%" height="20"><figcaption><p>c</p></figcaption></figure> <figure><picture><source srcset="d.png" media="(prefers-color-scheme: dark)"><img src="a.png" alt=""></picture><figcaption></figcaption></figure></div>

<img src="d.svg" alt="" class="gitbook-drawing">

$$
x
$$

{% embed url="https://x.org" fullWidth="true" %}
caption
{% endembed %}

{% file src="f.pdf" %}
caption
{% endfile %}

{% content-ref url="p.md" %}
[p.md](p.md)
{% endcontent-ref %}

{% include "x.md" %}

{% openapi src="s.yaml" path="/" method="get" expanded="true" fullWidth="true" %}
[s.yaml](s.yaml)
{% endopenapi %}

{% openapi-operation spec="s" path="/" method="get" %}
{% endopenapi-operation %}

{% openapi-schemas spec="s" schemas="A,B" grouped="false" %}
{% endopenapi-schemas %}

{% openapi-webhook spec="s" name="n" method="post" %}
{% endopenapi-webhook %}

{% @name/block text="y" list="[1]" number=1 url="https://x.org" fullWidth="true" action="{&quot;action&quot;:&quot;go&quot;}" %}

| a | b |
| - | -: |
| 1 | **2** |

<table data-full-width="true" data-search="true"><thead><tr><th width="5">a</th><th data-type="number" data-hidden>n</th><th data-type="checkbox">c</th><th data-type="rating" data-max="3">r</th><th data-type="users" data-multiple>u</th></tr></thead><tbody><tr><td><h4>x</h4><ul><li>y</li></ul></td><td>1</td><td>true</td><td>2</td><td><span data-user="u1"></span></td></tr></tbody></table>

<table data-view="cards" data-card-size="large" data-column-title-hidden><thead><tr><th>a</th><th data-type="content-ref" data-card-target></th><th data-type="image" data-card-cover></th><th data-type="image" data-card-cover-dark></th><th data-type="files"></th><th>s<select multiple><option value="v" label="l" color="blue"></option></select></th></tr></thead><tbody><tr><td>x</td><td><a href="p.md">p</a></td><td data-object-fit="cover"><a href="i.png">i</a></td><td><a href="i.png">i</a></td><td><a href="f.pdf">f</a></td><td><span data-option="v">l</span></td></tr></tbody></table>

{% unknown %}

[^1]: note
`;
