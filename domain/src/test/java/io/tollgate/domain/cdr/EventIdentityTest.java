package io.tollgate.domain.cdr;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EventIdentityTest {

  @Test
  void isTheFirstHalfOfSha256OverBothWithTheirLengths() throws Exception {
    ByteBuffer input = ByteBuffer.allocate(64);
    put(input, "größe");
    put(input, "pbx/1");
    byte[] bytes = new byte[input.flip().remaining()];
    input.get(bytes);
    ByteBuffer hash = ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(bytes));
    assertThat(EventIdentity.of("größe", "pbx/1"))
        .isEqualTo(new EventIdentity(hash.getLong(), hash.getLong()));
  }

  @Test
  void keepsTextThatJoinsAlikeApart() {
    assertThat(EventIdentity.of("a", "b:c")).isNotEqualTo(EventIdentity.of("a:b", "c"));
    assertThat(EventIdentity.of("ab", "c")).isNotEqualTo(EventIdentity.of("a", "bc"));
    assertThat(EventIdentity.of("", "a")).isNotEqualTo(EventIdentity.of("a", ""));
    assertThat(EventIdentity.of("a", "b")).isNotEqualTo(EventIdentity.of("b", "a"));
    assertThat(EventIdentity.of("A", "b")).isNotEqualTo(EventIdentity.of("a", "b"));
  }

  @Test
  void tellsManyEventsApart() {
    Set<EventIdentity> identities = new HashSet<>();
    Set<Long> halves = new HashSet<>();
    for (int event = 0; event < 100_000; event++) {
      EventIdentity identity = EventIdentity.of("acme", "pbx/" + event);
      identities.add(identity);
      halves.add(identity.high());
      halves.add(identity.low());
    }
    assertThat(identities).hasSize(100_000);
    assertThat(halves).hasSize(200_000);
  }

  private static void put(ByteBuffer input, String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    input.putLong(utf8.length).put(utf8);
  }
}
