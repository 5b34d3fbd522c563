"""Operations on bits."""
