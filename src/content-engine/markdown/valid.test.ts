import { describe, expect, it } from 'vitest';
import { SCHEMA_CHANGES } from '../../../test/conformance/exemptions.ts';
import { ajvWith } from '../../../test/conformance/schemas.ts';
import { toPublishedForm, type JSONDocument } from '../document/index.ts';
import { parseDocument } from './index.ts';

/** Everything of the public schema of version 0.143.2. */
const KNOWN = `
Text **bold** _it_ ~~no~~ \`code\` <kbd>K</kbd> <mark style="color:red;">m</mark> [link](u) [m](u "mention") ![i](s) x
<i class="fa-x">:x:</i> <code class="expression">a.b</code> $$f$$ <a href="u" class="button primary">B</a> note[^1]

## One <a href="#one" id="one"></a>

##### Five

* a
  1. b
* c

- [x] done

> quote

***

{% hint style="info" %}
hint
{% endhint %}

{% tabs %}
{% tab title="T" %}
\`\`\`js
code
\`\`\`
{% endtab %}
{% endtabs %}

{% stepper %}
{% step %}
### Step
![img](a.png)
{% endstep %}
{% endstepper %}

{% columns %}
{% column width="50%" %}
a
{% endcolumn %}
{% endcolumns %}

{% if a %}
b
{% endif %}

<details>

<summary>S</summary>

</details>

<figure><img src="a" alt="" width="5"><figcaption><p>c</p></figcaption></figure>

<img src="d.svg" alt="" class="gitbook-drawing">

$$
x
$$

{% embed url="u" %}
caption
{% endembed %}

{% file src="f" %}

{% content-ref url="p.md" %}
[p.md](p.md)
{% endcontent-ref %}

{% include "x.md" %}

{% openapi src="s" path="/" method="get" %}
{% endopenapi %}

{% openapi-operation spec="s" path="/" method="get" %}
{% endopenapi-operation %}

{% openapi-schemas spec="s" schemas="A" %}
{% endopenapi-schemas %}

{% openapi-webhook spec="s" name="n" method="post" %}
{% endopenapi-webhook %}

{% @a/b x="y" z="[1]" %}

| a | b |
| - | - |
| 1 | 2 |

<table data-view="cards"><thead><tr><th width="5">a</th><th data-type="content-ref" data-card-target></th><th data-type="image" data-card-cover></th><th data-type="files"></th><th>s<select><option value="v" label="l" color="blue"></option></select></th></tr></thead><tbody><tr><td><h4>x</h4></td><td><a href="p">p</a></td><td><a href="i">i</a></td><td><a href="f">f</a></td><td><span data-option="v">l</span></td></tr></tbody></table>

{% unknown %}

<custom-element>
x

[^1]: note
`;

/** Content that this schema does not allow. */
const LATER = `
{% updates format="full" %}
{% update date="2025-12-25" tags="a" %}
u
{% endupdate %}
{% endupdates %}

{% prompt description="d" %}
\`\`\`
p
\`\`\`
{% endprompt %}

<details open>

<summary>S</summary>

{% embed url="u" %}

</details>

<button type="button" class="button primary" data-action="ask" data-query="q">Ask</button>

* item

  <figure><img src="a" alt=""><figcaption></figcaption></figure>

{% hint style="info" %}
\`\`\`
code
\`\`\`
{% endhint %}

{% tabs %}
{% tab title="T" %}
{% stepper %}
{% step %}
| a |
| - |
| b |
{% endstep %}
{% endstepper %}
{% endtab %}
{% endtabs %}

> | a |
> | - |

[<i class="fa-x">:x:</i> icon](u)
`;

const validate = ajvWith(SCHEMA_CHANGES).compile({ $ref: 'JSONDocument' });

const problems = (body: string): unknown[] => {
  const document = JSON.parse(JSON.stringify(toPublishedForm(parseDocument(body)))) as JSONDocument;
  return validate(document) ? [] : (validate.errors ?? []).slice(0, 3);
};

describe('document JSON', () => {
  it('is valid for everything in the public schema', () => {
    expect(problems(KNOWN)).toEqual([]);
  });

  it('is valid for later blocks and freer nesting', () => {
    expect(problems(LATER)).toEqual([]);
  });
});
