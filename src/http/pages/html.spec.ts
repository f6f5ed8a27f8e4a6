import { html } from './html.js';

describe('html', () => {
  it('escapes what would be markup or would leave an attribute', () => {
    const hostile = `"><script>alert('1')</script>&amp;\``;

    expect(html`<p title="${hostile}">${hostile}</p>`.text).toBe(
      '<p title="&#34;&#62;&#60;script&#62;alert(&#39;1&#39;)&#60;/script&#62;&#38;amp;&#96;">' +
        '&#34;&#62;&#60;script&#62;alert(&#39;1&#39;)&#60;/script&#62;&#38;amp;&#96;</p>',
    );
  });

  it('puts pieces of HTML in as they are, every item of a list, and nothing for what is absent', () => {
    const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`);

    expect(html`${items}${null}${undefined}${false}${0}`.text).toBe('<li>a</li><li>&#60;b&#62;</li>0');
  });
});
